import pytest
from tests.hostile import layers
from tests.hostile.leftovers import BUILT, PLAYED, LEFTOVERS
from tests.hostile.test_leftovers import play
from dohyo.core import replay as replays
@pytest.mark.parametrize("layer", (1,2,3,4))
@pytest.mark.parametrize("name", LEFTOVERS)
def test_try(scene, name, layer, monkeypatch):
    try:
        got = play(scene, name, layer, monkeypatch)
    except BaseException as e:
        print("RES", name, layer, "RAISED", repr(e)[:200]); return
    if got.refused: print("RES", name, layer, "REFUSED", got.refused[:200]); return
    out=[]
    for r in got.reports:
        if r.error: out.append("ERR "+r.error.strip().splitlines()[-1][:150]); continue
        rp=replays.decode(r.replay)
        out.append([(m.seat,f.kind.value,f.status,f.detail[:60]) for tt in [*rp.turns] for m in tt.moves for f in m.faults]+[(m.seat,'last',f.kind.value,f.detail) for m in rp.result.last for f in m.faults]+[len(rp.turns)])
    print("RES", name, layer, out)
