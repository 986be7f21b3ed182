//! df-pn on endgames that can go round for ever.

use plyproof_core::search::{Agent, Budget, Searcher, Stopped};
use plyproof_core::spec::Params;
use plyproof_core::{Game, Wdl};
use plyproof_games::awari::{AWARI, Awari};

#[test]
fn df_pn_decides_an_endgame_full_of_cycles_with_every_setting() {
    let start = Awari::start(&Params::defaults(&AWARI));
    let position = start.parse_position("1,2,0,0,2,0,0,0,0,1,1,0|18,23 1").expect("a position");
    for agent in ["df-pn", "df-pn(sum=full)", "df-pn(epsilon=0)", "df-pn(epsilon=0,sum=full)", "df-pn(epsilon=0.01)"] {
        let agent = Agent::parse(agent).expect(agent);
        let budget = Budget { memory: Some(1 << 26), ..Budget::simulations(300_000) };
        let report = Searcher::new().run(&agent, &position, &budget, 1);
        let found = (report.stopped, report.bounds.value());
        assert_eq!(found, (Some(Stopped::Proven), Some(Wdl::Draw)), "{agent} after {}", report.nodes);
    }
}
