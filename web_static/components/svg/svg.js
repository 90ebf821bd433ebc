/** Shapes of pictures that are drawn here: SVG elements, whose words are text. */

const SPACE = "http://www.w3.org/2000/svg";
let pictures = 0;

/** An SVG element; attributes that are null, undefined or false are left out, as are such children. */
export function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS(SPACE, name);
  const given = ([, value]) => value !== null && value !== undefined && value !== false;
  for (const [key, value] of Object.entries(attributes).filter(given)) element.setAttribute(key, value);
  element.append(...children.flat().filter(Boolean));
  return element;
}

/** A picture as large as it is drawn, with its title and its words. With links in it, `role` is group. */
export function picture({ title, words, width, height, role = "img" }, ...children) {
  const id = `picture-${(pictures += 1)}`;
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const named = { role, "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-words` };
  return shape("svg", { ...size, ...named, class: "drawn" }, shape("title", { id: `${id}-title` }, title), shape("desc", { id: `${id}-words` }, words), ...children);
}

/** A line of text that ends at `most` characters. */
export const shortened = (text, most) => (text.length > most ? `${text.slice(0, Math.max(1, most - 1)).trimEnd()}…` : text);

/** Text in lines of at most `most` characters, broken between words. */
export function wrapped(text, most) {
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(shortened(word, most));
  }
  return lines;
}
