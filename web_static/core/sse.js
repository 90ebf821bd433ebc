/** Server-Sent Events of a fetch response: EventSource cannot send a bearer token. */

/** The frames of a body, {id, event, data (text)}; one that is cut off at the end is dropped, as it will come again. */
export async function* frames(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const frame = parsed(block);
        if (frame) yield frame;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(block) {
  const frame = { id: null, event: "message", data: null };
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") frame.data = frame.data === null ? value : `${frame.data}\n${value}`;
    else if (name === "id" || name === "event") frame[name] = value;
  }
  return frame.data === null ? null : frame;
}
