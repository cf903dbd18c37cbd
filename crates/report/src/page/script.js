"use strict";
document.querySelectorAll("figure").forEach(function (figure) {
  figure.querySelectorAll(".legend li[data-line]").forEach(function (item) {
    var lines = figure.querySelectorAll('.chart [data-line="' + item.dataset.line + '"]');
    var mark = function (on) { lines.forEach(function (line) { line.classList.toggle("pointed-at", on); }); };
    var toggle = function () {
      var shown = item.getAttribute("aria-pressed") === "false";
      item.setAttribute("aria-pressed", String(shown));
      lines.forEach(function (line) { line.classList.toggle("hidden", !shown); });
    };
    item.setAttribute("role", "button");
    item.setAttribute("aria-pressed", "true");
    item.tabIndex = 0;
    item.addEventListener("click", toggle);
    item.addEventListener("keydown", function (event) {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(); }
    });
    item.addEventListener("mouseenter", function () { mark(true); });
    item.addEventListener("mouseleave", function () { mark(false); });
  });
});
document.querySelectorAll("table.sortable").forEach(function (table) {
  table.querySelectorAll("thead th").forEach(function (head, column) {
    var button = document.createElement("button");
    while (head.firstChild) { button.appendChild(head.firstChild); }
    head.appendChild(button);
    button.addEventListener("click", function () {
      var down = head.getAttribute("aria-sort") === "ascending";
      table.querySelectorAll("th").forEach(function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      var key = function (row) { return row.cells[column].dataset.value || ""; };
      var order = function (a, b) {
        var x = key(a), y = key(b);
        if (x === "" || y === "") { return (x === "") - (y === ""); }
        var by = isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y;
        return down ? -by : by;
      };
      var body = table.tBodies[0];
      Array.from(body.rows).sort(order).forEach(function (row) { body.appendChild(row); });
    });
  });
});
