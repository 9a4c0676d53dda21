// Sounds, drawn from code: a plucked string for each mark, and three for the end of a round.

/** The notes of the first player, of the second one, and of an end, in hertz. */
const NOTES = { first: 330, second: 247, end: [392, 494, 587] };

let context;

/** Plucks a string: a tone that begins at once and fades. */
const pluck = (hertz, delay = 0) => {
  context ??= new AudioContext();
  const begin = context.currentTime + delay;
  const [string, loudness] = [context.createOscillator(), context.createGain()];
  string.type = "triangle";
  string.frequency.value = hertz;
  loudness.gain.setValueAtTime(0.2, begin);
  loudness.gain.exponentialRampToValueAtTime(0.001, begin + 0.5);
  string.connect(loudness).connect(context.destination);
  string.start(begin);
  string.stop(begin + 0.5);
};

const look = () => ({
  board: document.getElementById("board"),
  marks: [...document.querySelectorAll("#board .mark")],
  isOver: document.getElementById("next") !== null,
});

/** Listens to the table until it is stopped. */
export const start = () => {
  let before = look();
  const observer = new MutationObserver(() => {
    const now = look();
    const [isSame, added] = [now.board === before.board, now.marks.filter((mark) => !before.marks.includes(mark))];
    // A table that has just been opened is silent, whatever is on its board.
    if (isSame && added.length === 1) pluck(added[0].classList.contains("second") ? NOTES.second : NOTES.first);
    if (isSame && now.isOver && !before.isOver) NOTES.end.forEach((hertz, index) => pluck(hertz, 0.25 + 0.12 * index));
    before = now;
  });
  observer.observe(document.getElementById("view"), { childList: true, subtree: true });
  return () => observer.disconnect();
};
