// By whose eyes the match is seen: a choice, where there is more than one view of it.
import { element } from "dohyo/elements.js";

/**
 * @param {object} options
 * @param {{seat: number | null}[]} options.views
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {Function} options.say
 * @param {(at: number) => void} options.onChoose called with the place of a view in `views`
 * @returns {{node: HTMLElement, choose: (at: number) => void} | null} null where there is nothing to choose
 */
export function viewChoice({ views, seats, say, onChoose }) {
  if (views.length < 2) return null;
  const label = (one) =>
    one.seat === null ? say("viewer.view-all") : say("viewer.view-seat", { name: seats[one.seat].label });
  const select = element(
    "select",
    { change: () => onChoose(Number(select.value)) },
    ...views.map((one, at) => element("option", { value: at }, label(one))),
  );
  return {
    node: element("label", { class: "choice" }, element("span", {}, `${say("viewer.view")} `), select),
    choose(at) {
      select.value = String(at);
    },
  };
}
