//! How values of core are written in JSON, each in one place: results as words, infinite proof numbers as `"inf"`.

/// A proof number: a whole number, or `"inf"`.
pub(crate) mod proof_number {
    use plyproof_core::search::proof::ProofNumber;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    pub(crate) enum Leaves {
        Finite(u32),
        Infinite(String),
    }

    impl From<ProofNumber> for Leaves {
        fn from(number: ProofNumber) -> Self {
            number.leaves().map_or_else(|| Self::Infinite("inf".to_string()), Self::Finite)
        }
    }

    impl Leaves {
        pub(crate) fn number<E: de::Error>(self) -> Result<ProofNumber, E> {
            match self {
                Self::Finite(leaves) if leaves < u32::MAX => Ok(ProofNumber::finite(leaves)),
                Self::Infinite(word) if word == "inf" => Ok(ProofNumber::INFINITE),
                _ => Err(E::custom("a proof number is a whole number below 4294967295, or \"inf\"")),
            }
        }
    }

    pub(crate) fn serialize<S: Serializer>(number: &Option<ProofNumber>, to: S) -> Result<S::Ok, S::Error> {
        number.map(Leaves::from).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ProofNumber>, D::Error> {
        Option::<Leaves>::deserialize(from)?.map(Leaves::number).transpose()
    }
}

/// A proof number and a disproof number: `{"pn": 3, "dpn": "inf"}`.
pub(crate) mod proof_numbers {
    use plyproof_core::search::proof::ProofNumbers;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::proof_number::Leaves;

    #[derive(Serialize, Deserialize)]
    struct Pair {
        pn: Leaves,
        dpn: Leaves,
    }

    pub(crate) fn serialize<S: Serializer>(numbers: &Option<ProofNumbers>, to: S) -> Result<S::Ok, S::Error> {
        numbers.map(|numbers| Pair { pn: numbers.pn.into(), dpn: numbers.dpn.into() }).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ProofNumbers>, D::Error> {
        let pair = Option::<Pair>::deserialize(from)?;
        pair.map(|pair| Ok(ProofNumbers { pn: pair.pn.number()?, dpn: pair.dpn.number()? })).transpose()
    }
}

/// `"win"`, `"draw"`, `"loss"`, or null where the value is not known.
pub(crate) mod value {
    use plyproof_core::Wdl;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &Option<Wdl>, to: S) -> Result<S::Ok, S::Error> {
        value.map(Wdl::word).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Wdl>, D::Error> {
        Option::<String>::deserialize(from)?.as_deref().map(super::word).transpose()
    }
}

/// What a certificate claims: `"win"`, `"draw"` or `"margin>=K"`.
pub(crate) mod claim {
    use plyproof_verify::Claim;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(claim: &Claim, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(claim)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Claim, D::Error> {
        Claim::parse(&String::deserialize(from)?).map_err(de::Error::custom)
    }
}

/// The worst and the best result still possible: `{"least": "loss", "most": "draw"}`.
pub(crate) mod bounds {
    use plyproof_core::search::Bounds;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    struct Words {
        least: String,
        most: String,
    }

    pub(crate) fn serialize<S: Serializer>(bounds: &Bounds, to: S) -> Result<S::Ok, S::Error> {
        Words { least: bounds.least.word().to_string(), most: bounds.most.word().to_string() }.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bounds, D::Error> {
        let words = Words::deserialize(from)?;
        let (least, most) = (super::word(&words.least)?, super::word(&words.most)?);
        if least > most {
            return Err(de::Error::custom("the worst result possible is better than the best one"));
        }
        Ok(Bounds { least, most })
    }
}

/// Numbers by name, in their order: `{"mean": 0.25, "exploration": 0.5}`.
pub(crate) mod parts {
    use std::borrow::Cow;
    use std::fmt;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserializer, Serializer};

    type Parts = Vec<(Cow<'static, str>, f64)>;

    pub(crate) fn serialize<S: Serializer>(parts: &Parts, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(parts.iter().map(|(name, value)| (name, value)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Parts, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = Parts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("numbers by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
                let mut parts = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, f64>()? {
                    parts.push((Cow::Owned(name), value));
                }
                Ok(parts)
            }
        }
        from.deserialize_map(Numbers)
    }
}

/// Why a search ended, in a word; null while it is running.
pub(crate) mod stopped {
    use plyproof_core::search::Stopped;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(why: &Option<Stopped>, to: S) -> Result<S::Ok, S::Error> {
        why.map(Stopped::word).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Stopped>, D::Error> {
        let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
        let known = Stopped::ALL.into_iter().find(|why| why.word() == text);
        known.map(Some).ok_or_else(|| de::Error::custom(format!("{text:?} is not a reason for the end of a search")))
    }
}

fn word<E: serde::de::Error>(text: &str) -> Result<plyproof_core::Wdl, E> {
    use plyproof_core::Wdl;
    let known = [Wdl::Loss, Wdl::Draw, Wdl::Win].into_iter().find(|value| value.word() == text);
    known.ok_or_else(|| E::unknown_variant(text, &["win", "draw", "loss"]))
}

/// Numbers and answers of jobs, of which there are many: pairs `[3, "inf"]`, and answers `[key, true, nodes]`.
pub(crate) mod jobs {
    use plyproof_core::search::jobs::Fact;
    use plyproof_core::search::proof::ProofNumbers;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::proof_number::Leaves;

    fn pair_of(numbers: &ProofNumbers) -> [Leaves; 2] {
        [numbers.pn.into(), numbers.dpn.into()]
    }

    fn numbers_of<E: Error>([pn, dpn]: [Leaves; 2]) -> Result<ProofNumbers, E> {
        Ok(ProofNumbers { pn: pn.number()?, dpn: dpn.number()? })
    }

    pub(crate) mod pair {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(numbers: &ProofNumbers, to: S) -> Result<S::Ok, S::Error> {
            pair_of(numbers).serialize(to)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ProofNumbers, D::Error> {
            numbers_of(<[Leaves; 2]>::deserialize(from)?)
        }
    }

    pub(crate) mod pairs {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(numbers: &[ProofNumbers], to: S) -> Result<S::Ok, S::Error> {
            to.collect_seq(numbers.iter().map(pair_of))
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ProofNumbers>, D::Error> {
            Vec::<[Leaves; 2]>::deserialize(from)?.into_iter().map(numbers_of).collect()
        }
    }

    pub(crate) mod facts {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(facts: &[Fact], to: S) -> Result<S::Ok, S::Error> {
            to.collect_seq(facts.iter().map(|fact| (fact.key, fact.proven, fact.work)))
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Fact>, D::Error> {
            let facts = Vec::<(u64, bool, u64)>::deserialize(from)?;
            Ok(facts.into_iter().map(|(key, proven, work)| Fact { key, proven, work }).collect())
        }
    }
}
