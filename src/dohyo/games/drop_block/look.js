// Colours and lines, for bright and for dark pages.
export const style = `
.drop-block {
  --clay: #ead6ab; --clay-side: #a97f45; --paint: #fffdf6; --void: #41362d; --on-void: #dccfbe;
  --loose1: #e2bd78; --loose2: #dc9c4c; --loose3: #d8743a; --ink: #1c1512; --pale: #fffaf0;
  --bale: #c59f5b; --seam: #8a6730; --coordinate: #6b5d50;
  display: block; width: 100%; height: 100%; user-select: none; -webkit-user-select: none;
}
.drop-block text { font-family: system-ui, sans-serif; font-variant-numeric: tabular-nums; text-anchor: middle; }
.drop-block .void { fill: var(--void); }
.drop-block .bales { fill: none; stroke: var(--bale); stroke-width: .5; }
.drop-block .seams { fill: none; stroke: var(--seam); stroke-width: .5; stroke-dasharray: .05 .95; stroke-dashoffset: .5; }
.drop-block .coordinate { font-size: .44px; fill: var(--coordinate); }
.drop-block .side { fill: var(--clay-side); }
.drop-block .top { fill: var(--clay); }
.drop-block .stage1 .top { fill: var(--loose1); }
.drop-block .stage2 .top { fill: var(--loose2); }
.drop-block .stage3 .top { fill: var(--loose3); }
.drop-block .grid { stroke: var(--clay-side); stroke-opacity: .35; stroke-width: .035; fill: none; }
.drop-block .paint { fill: none; stroke: var(--paint); stroke-width: .34; opacity: .8; }
.drop-block .crack { fill: none; stroke: #4a2c12; stroke-width: .07; stroke-linejoin: round; stroke-linecap: round; }
.drop-block .ghost { fill: none; stroke: var(--on-void); stroke-opacity: .45; stroke-width: .05; stroke-dasharray: .2 .16; }
.drop-block .countdown { fill: var(--ink); }
.drop-block .countdown text { font-size: .95px; font-weight: 700; }
.drop-block .countdown.gone { fill: var(--on-void); }
.drop-block .countdown.gone text { font-size: .85px; font-weight: 500; }
.drop-block .token { stroke: var(--ink); stroke-width: .13; stroke-linejoin: round; }
.drop-block .stunned .token { stroke-dasharray: .3 .2; }
.drop-block .pointer { stroke: var(--ink); stroke-width: .07; stroke-linejoin: round; }
.drop-block .number { font-size: .78px; font-weight: 700; }
.drop-block .pip { fill: var(--pale); stroke: var(--ink); stroke-width: .07; }
.drop-block .halo { fill: var(--pale); fill-opacity: .5; stroke: var(--pale); stroke-width: .08; }
.drop-block .label { font-size: .6px; font-weight: 600; fill: var(--ink); stroke: var(--pale); stroke-width: .16; paint-order: stroke; stroke-linejoin: round; }
.drop-block .chevron { fill: none; stroke-width: .2; stroke-linejoin: round; stroke-linecap: round; }
.drop-block .cross { fill: none; stroke-width: .22; stroke-linecap: round; }
.drop-block .edge { stroke: var(--pale); stroke-width: .36; }
.drop-block .aimed { fill: none; stroke-width: .12; stroke-dasharray: .4 .22; }
.drop-block .wall { stroke: #a63a1e; stroke-width: .16; stroke-linecap: round; }
.drop-block .who { font-size: .6px; font-weight: 700; fill: var(--on-void); }
@media (prefers-color-scheme: dark) {
  .drop-block {
    --clay: #d6bd8a; --clay-side: #86653a; --paint: #fff8e6; --void: #1c1613; --on-void: #d8c9b5;
    --loose1: #dfb25f; --loose2: #e0933c; --loose3: #e06f35; --bale: #a8834a; --seam: #5d4722; --coordinate: #b3a594;
  }
}
`;
