// Pointing at cells of a board, by mouse or touch, and marks on those that can be pointed at. Any game's drawing that can
// be drawn on can be pointed at, too: see `board` in overlay.js.
import { svg } from "dohyo/elements.js";

/**
 * @param {object} options
 * @param {HTMLElement} options.host what the board is in
 * @param {() => {node: SVGElement, rows: number, columns: number, at: Function} | undefined} options.board
 * @param {(cell: number[]) => void} options.onPick with [column, row]
 */
export function createPicking({ host, board, onPick }) {
  const layer = svg("g", { class: "picking" });
  let marks = { open: [], picked: [] };

  /** The cell whose middle is nearest, if the point is within it. */
  function cellAt(x, y) {
    const on = board();
    const matrix = on?.node.getScreenCTM?.();
    if (!matrix) return null;
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    for (let row = 0; row < on.rows; row += 1)
      for (let column = 0; column < on.columns; column += 1) {
        const [left, top] = on.at(row, column);
        if (Math.abs(point.x - left) <= 0.5 && Math.abs(point.y - top) <= 0.5) return [column, row];
      }
    return null;
  }

  function draw() {
    const on = board();
    if (!on) return;
    if (layer.parentNode !== on.node || on.node.lastChild !== layer) on.node.append(layer);
    const inside = ([column, row]) => row >= 0 && column >= 0 && row < on.rows && column < on.columns;
    const shape = (kind) => (cell) => {
      const [x, y] = on.at(cell[1], cell[0]);
      return svg("rect", { x: x - 0.46, y: y - 0.46, width: 0.92, height: 0.92, rx: 0.16, class: `pick ${kind}` });
    };
    layer.replaceChildren(...marks.open.filter(inside).map(shape("open")), ...marks.picked.filter(inside).map(shape("picked")));
  }

  host.addEventListener("click", (event) => {
    const cell = cellAt(event.clientX, event.clientY);
    if (cell) onPick(cell);
  });

  return {
    /** Mark these cells; they stay until the next call. */
    mark(wanted) {
      marks = wanted;
      host.classList.toggle("pickable", marks.open.length > 0);
      draw();
    },
    redraw: draw,
    /** Where the middle of a cell is on the screen. */
    place([column, row]) {
      const on = board();
      const { x, y } = new DOMPoint(...on.at(row, column)).matrixTransform(on.node.getScreenCTM());
      return [x, y];
    },
  };
}
