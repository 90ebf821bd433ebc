/** A plot that a tool has drawn: a picture of ours, fetched with the token and shown where nothing in it can act. */

import { toast } from "../toasts/toasts.js";
import { send } from "../../core/api.js";
import { saveBlob } from "../../core/copy.js";
import { html, put } from "../../core/html.js";

/** Whether what a tool answered is a plot. */
export const isPlot = (result) => typeof result?.svg === "string" && /^documents\/[^/]+\/artifacts\/[^/]+\.svg$/.test(result.svg);

/** The plot as a figure; it is fetched when it comes near what is seen. */
export function plot({ svg, png, title, name }) {
  const words = title || `Plot of ${name}`;
  const place = html`<div class="picture"><p class="meta">${words}</p></div>`;
  const load = async () => {
    try {
      const picture = await pictureOf(svg);
      const image = html`<img alt=${words} />`;
      image.onload = image.onerror = () => URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(picture);
      put(place, image);
    } catch (error) {
      put(place, html`<p class="meta">${error.status === 404 ? "The plot is not there any more." : error.message}</p>`);
    }
  };
  const seen = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && (seen.disconnect(), load()), { rootMargin: "200px" });
  seen.observe(place);
  const keep = () => pictureOf(png).then((picture) => saveBlob(`${words.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.png`, picture), (error) => toast(`Not saved: ${error.message}`));
  return html`<figure class="plot">${place}<figcaption class="row spread"><span class="meta">${words}</span>${png && html`<button type="button" class="quiet" onclick=${keep}>Save as PNG</button>`}</figcaption></figure>`;
}

const pictureOf = async (path) => (await send("GET", `/${path}`)).blob();
