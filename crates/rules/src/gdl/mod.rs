//! The Game Description Language (GDL-I), for two players who move in turns and see everything.
