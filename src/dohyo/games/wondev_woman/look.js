// Colours and lines, for bright and for dark pages.
export const style = `
.wondev-woman {
  --ground: #d9d2c3; --ground-edge: #b9b09d; --side1: #84796a; --top1: #b7ab98; --side2: #6d7883; --top2: #c9d3dc;
  --side3: #b98a1d; --top3: #ffe08a; --dome: #22344f; --shine: #8fa9cf; --ink: #1c1512; --pale: #fffdf6;
  --fog: #57606a; --coordinate: #6b5d50;
  display: block; width: 100%; height: 100%; user-select: none; -webkit-user-select: none;
}
.wondev-woman text { font-family: system-ui, sans-serif; font-variant-numeric: tabular-nums; text-anchor: middle; }
.wondev-woman .coordinate { font-size: .24px; fill: var(--coordinate); }
.wondev-woman .ground { fill: var(--ground); stroke: var(--ground-edge); stroke-width: .02; }
.wondev-woman .level1 .side { fill: var(--side1); }
.wondev-woman .level1 .top { fill: var(--top1); }
.wondev-woman .level2 .side { fill: var(--side2); }
.wondev-woman .level2 .top { fill: var(--top2); }
.wondev-woman .level3 .side { fill: var(--side3); }
.wondev-woman .level3 .top { fill: var(--top3); }
.wondev-woman .dome .side { fill: var(--dome); stroke: var(--pale); stroke-width: .02; }
.wondev-woman .shine { fill: none; stroke: var(--shine); stroke-width: .04; stroke-linecap: round; }
.wondev-woman .height { font-size: .22px; font-weight: 700; fill: var(--ink); stroke: var(--pale); stroke-width: .05; paint-order: stroke; stroke-linejoin: round; }
.wondev-woman .on-dome { fill: var(--pale); stroke: none; }
.wondev-woman .token { stroke: var(--pale); stroke-width: .2; stroke-linejoin: round; }
.wondev-woman .out .token { fill-opacity: .45; stroke-dasharray: .5 .3; }
.wondev-woman .number { font-size: .22px; font-weight: 700; }
.wondev-woman .gone { fill: none; stroke: var(--ink); stroke-width: .06; stroke-linecap: round; }
.wondev-woman .halo { fill: none; stroke: var(--ink); stroke-width: .04; }
.wondev-woman .fog { fill: var(--fog); fill-opacity: .45; pointer-events: none; }
.wondev-woman .way { stroke-width: .1; stroke-linecap: round; stroke-dasharray: .02 .16; }
.wondev-woman .push, .wondev-woman .cancel { fill: none; stroke-width: .09; stroke-linecap: round; stroke-linejoin: round; }
.wondev-woman .cancel { stroke-dasharray: .14 .13; }
.wondev-woman .edge { stroke: var(--pale); stroke-width: .17; stroke-dasharray: none; }
.wondev-woman .point { font-size: .32px; font-weight: 800; stroke: var(--pale); stroke-width: .1; paint-order: stroke; stroke-linejoin: round; }
.wondev-woman .bubble { fill: var(--pale); stroke-width: .035; }
.wondev-woman .saying { font-size: .2px; fill: var(--ink); }
@media (prefers-color-scheme: dark) {
  .wondev-woman {
    --ground: #37424f; --ground-edge: #566577; --side1: #4a5a6c; --top1: #7489a0; --side2: #75889b; --top2: #bfd0df;
    --side3: #b3811a; --top3: #ffd964; --dome: #0b1a33; --shine: #8fb0e3; --fog: #05070a; --coordinate: #b3a594;
  }
  .wondev-woman .halo { stroke: var(--pale); }
}
`;
