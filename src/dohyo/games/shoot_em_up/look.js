// Colours and lines, for bright and for dark pages.
export const style = `
.shoot-em-up {
  --ground: #e9eff1; --ground-edge: #7e919b; --grid: #c3d0d6; --ink: #16212a; --pale: #ffffff; --coordinate: #5d6b74;
  --flash: #d97a00; --empty: #c9d4d9; --hit: #b3261e;
  display: block; width: 100%; height: 100%; user-select: none; -webkit-user-select: none;
}
.shoot-em-up.blind { --ground: #cbd5da; --grid: #b3c1c8; --empty: #b3c1c8; }
.shoot-em-up text { font-family: system-ui, sans-serif; font-variant-numeric: tabular-nums; text-anchor: middle; }
.shoot-em-up .ground { fill: var(--ground); stroke: var(--ground-edge); stroke-width: .06; }
.shoot-em-up .grid { stroke: var(--grid); stroke-width: .03; fill: none; }
.shoot-em-up .coordinate { font-size: .34px; fill: var(--coordinate); }
.shoot-em-up .token { stroke: var(--ink); stroke-width: .16; stroke-linejoin: round; }
.shoot-em-up .number { font-size: .3px; font-weight: 700; }
.shoot-em-up .gun-back { fill: var(--pale); stroke: var(--empty); stroke-width: .09; }
.shoot-em-up .gun { fill: none; stroke-width: .09; }
.shoot-em-up .halo { fill: none; stroke: var(--ink); stroke-width: .04; }
.shoot-em-up .pip { fill: var(--pale); stroke: var(--ink); stroke-width: .035; }
.shoot-em-up .pip.hit { fill: var(--hit); }
.shoot-em-up .lost .token, .shoot-em-up .lost .gun { opacity: .35; }
.shoot-em-up .gone { fill: none; stroke: var(--ink); stroke-width: .09; stroke-linecap: round; }
.shoot-em-up .beam { stroke-width: .16; stroke-linecap: round; fill: none; stroke-opacity: .75; }
.shoot-em-up .beam.weak { stroke-width: .05; }
.shoot-em-up .sign { fill: none; stroke-width: .1; stroke-linecap: round; }
.shoot-em-up .sign.edge { stroke: var(--pale); stroke-width: .18; }
.shoot-em-up .flash { fill: none; stroke: var(--flash); stroke-width: .1; stroke-linecap: round; }
.shoot-em-up .arrow { fill: var(--hit); stroke: var(--pale); stroke-width: .05; stroke-linejoin: round; }
.shoot-em-up .somewhere { fill: none; stroke: var(--hit); stroke-width: .26; stroke-opacity: .4; stroke-dasharray: .12 .16; }
@media (prefers-color-scheme: dark) {
  .shoot-em-up {
    --ground: #1d3140; --ground-edge: #6d8a9b; --grid: #345064; --ink: #0b1115; --pale: #f2f6f8; --coordinate: #93a4ae;
    --flash: #ffb347; --empty: #6f8592; --hit: #ff5f45;
  }
  .shoot-em-up.blind { --ground: #101c25; --grid: #1f303c; }
  .shoot-em-up .halo { stroke: #dfe9ee; }
}
`;
