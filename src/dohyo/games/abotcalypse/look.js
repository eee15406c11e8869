// Colours and lines, for bright and for dark pages.
export const style = `
.abotcalypse {
  --sky: #e4ebf2; --floor: #8a7558; --rock: #a89a86; --rock-edge: #7d705e; --ink: #1c1512; --pale: #fffaf0;
  --meteor: #c2410c; --trail: #ea8a3c; --sight: #1f5fa8;
  display: block; width: 100%; height: 100%; user-select: none; -webkit-user-select: none;
}
.abotcalypse text { font-family: system-ui, sans-serif; font-variant-numeric: tabular-nums; }
.abotcalypse .sky { fill: var(--sky); }
.abotcalypse .floor { fill: var(--floor); }
.abotcalypse .rocks { fill: var(--rock); stroke: var(--rock-edge); stroke-width: .12; }
.abotcalypse .sight { fill: none; stroke: var(--sight); stroke-width: .3; stroke-dasharray: 1 .6; }
.abotcalypse .meteor { fill: var(--meteor); stroke: var(--ink); stroke-width: .12; }
.abotcalypse .trail { stroke: var(--trail); stroke-width: .8; stroke-linecap: round; opacity: .4; fill: none; }
.abotcalypse .token { stroke: var(--ink); stroke-width: .13; stroke-linejoin: round; }
.abotcalypse .own-square { stroke: var(--ink); stroke-width: .2; }
.abotcalypse .stem { stroke-width: .5; }
.abotcalypse .stem.edge { stroke: var(--ink); stroke-width: .9; }
.abotcalypse .followed .token { stroke: var(--sight); stroke-width: .3; }
.abotcalypse .number { font-size: 1.15px; font-weight: 700; text-anchor: middle; }
.abotcalypse .throw { fill: none; stroke-width: .35; stroke-dasharray: .8 .5; }
.abotcalypse .stone { fill: var(--rock); stroke: var(--ink); stroke-width: .15; }
.abotcalypse .hit { fill: #f0c419; stroke: var(--ink); stroke-width: .12; stroke-linejoin: round; }
.abotcalypse .by-meteor { fill: var(--trail); }
.abotcalypse .cross { fill: none; stroke-width: .5; stroke-linecap: round; }
.abotcalypse .cross.edge { stroke: var(--pale); stroke-width: .9; }
.abotcalypse .cause { font-size: calc(12 * var(--pixel)); font-weight: 600; fill: var(--ink); stroke: var(--pale); stroke-width: calc(3 * var(--pixel)); paint-order: stroke; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
  .abotcalypse {
    --sky: #1b2a3f; --floor: #7d6340; --rock: #a89f92; --rock-edge: #5f574d; --meteor: #ff7a33; --trail: #f0873f;
    --sight: #9cc8ff; --pale: #fff6e0;
  }
}
`;
