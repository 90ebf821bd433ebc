"""Memex in one thread: one seed, virtual time, faults on purpose, and the rules that must hold all the same.

To add a flow: give `flows.py` a Flow (the functions and workflows of the manifest that it lives on, the packages that
have its fault points); give `scenario.py` what its people do, which `Scenario.begin` sets going with `do`, and
`plays.py` the small stories that come by each of its fault points; give `watch.py` the documents it writes and
`rules.py` what must hold at every commit; give `final.broken` what must be true in the end, and `run._rests` what "at
rest" means for it; put what must have happened into `marks.EXPECTED`; and plant its bugs in
tests/simulation/planted.py. A service it talks to becomes a transport of the world, as `model_service.py` is; weather,
front, network and instances are the same for every flow. `earlier/` is the version before this one: a change of a
stored shape or of a workflow moves it on.
"""
