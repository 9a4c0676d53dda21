// Draws the board of the page as a picture, and shares or downloads it.

const [SIZE, MARGIN, FOOT] = [1080, 80, 120];

/** The board as a picture of its own, with the colours of the page. */
const drawing = async (board) => {
  const css = await (await fetch("{{style.css}}")).text();
  const [, , width, height] = board.querySelector("svg.threads").getAttribute("viewBox").split(" ").map(Number);
  const box = board.getBoundingClientRect();
  const scale = width / box.width;
  const marks = [...board.querySelectorAll("svg.mark")].map((mark) => {
    const at = mark.getBoundingClientRect();
    const copy = mark.cloneNode(true);
    copy.setAttribute("x", (at.x - box.x) * scale);
    copy.setAttribute("y", (at.y - box.y) * scale);
    copy.style.cssText = `width: ${at.width * scale}px; height: ${at.height * scale}px`;
    return copy;
  });
  const root = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.setAttribute("width", SIZE);
  root.setAttribute("height", Math.round((SIZE * height) / width));
  const { theme } = document.documentElement.dataset;
  if (theme) root.dataset.theme = theme;
  const style = document.createElementNS(root.namespaceURI, "style");
  style.textContent = `${css} * { animation: none !important; transition: none !important }`;
  const threads = [...board.querySelectorAll("svg.threads")].map((thread) => thread.cloneNode(true));
  const [below, ...above] = threads;
  const defs = document.querySelector("svg.drawings defs").cloneNode(true);
  for (const thread of threads) thread.style.cssText = `width: ${width}px; height: ${height}px`;
  root.append(style, defs, below, ...marks, ...above);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
  await image.decode();
  return image;
};

/** The picture with its frame, the result and the name of the page. */
const card = async (board, words) => {
  const image = await drawing(board);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const canvas = document.createElement("canvas");
  canvas.width = SIZE + 2 * MARGIN;
  canvas.height = image.height + 2 * MARGIN + FOOT;
  const pen = canvas.getContext("2d");
  pen.fillStyle = colour("--paper");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, MARGIN, MARGIN);
  pen.fillStyle = colour("--ink");
  pen.textAlign = "center";
  pen.font = "600 52px Georgia, serif";
  pen.fillText(words, canvas.width / 2, canvas.height - FOOT, SIZE);
  pen.fillStyle = colour("--soft");
  pen.font = "36px Georgia, serif";
  pen.fillText("Cat’s Cradle", canvas.width / 2, canvas.height - FOOT / 2);
  return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

/** Shares the picture of the board where the system can, and downloads it otherwise. */
export const share = async () => {
  const board = document.getElementById("board");
  if (!board) return;
  const heading = document.querySelector("h1")?.textContent ?? "";
  const picture = await card(board, heading);
  const file = new File([picture], "board.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    // A person who closes the sheet has changed their mind.
    await navigator.share({ files: [file] }).catch(() => {});
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
};
