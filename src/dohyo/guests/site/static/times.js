// Times are UTC in the page; this shows them, and takes them in forms, in the browser's own zone.
const language = document.documentElement.lang;
const shown = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

for (const each of document.querySelectorAll("time[data-local]")) {
  each.textContent = shown.format(new Date(each.dateTime)); // its title says it in UTC
}

/** A moment as such a field has it, in the browser's zone. */
function local(date) {
  const two = (number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

for (const field of document.querySelectorAll("input[data-utc]")) {
  const sent = document.createElement("input"); // what goes to the server, in UTC
  sent.type = "hidden";
  sent.name = field.name;
  field.removeAttribute("name");
  field.after(sent);
  if (field.value) field.value = local(new Date(`${field.value}Z`));
  const tell = () => {
    const date = field.value ? new Date(field.value) : null;
    sent.value = date === null || Number.isNaN(date.getTime()) ? "" : date.toISOString();
  };
  field.addEventListener("input", tell);
  tell();
}

const zone = document.getElementById("zone");
if (zone) zone.textContent = zone.dataset.told.replace("{zone}", Intl.DateTimeFormat().resolvedOptions().timeZone);
