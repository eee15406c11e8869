// The form for a contest: of the options of all formats and of the ways to enter, those of the chosen one are shown.
const format = document.getElementById("format");
const show = () => {
  for (const each of document.querySelectorAll(".of-format")) each.hidden = each.dataset.format !== format.value;
  const entry = document.querySelector("input[name=entry]:checked");
  for (const each of document.querySelectorAll(".of-entry")) each.hidden = each.dataset.entry !== entry?.value;
};
format.addEventListener("change", show);
for (const each of document.querySelectorAll("input[name=entry]")) each.addEventListener("change", show);
show();
