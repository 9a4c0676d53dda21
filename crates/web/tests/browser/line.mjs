// The line between one page and the server, which can be cut.

/** The line of one page. Only what the page connects after this goes through it. */
export class Line {
  isCut = false;
  isHeld = false;
  sockets = new Set();
  held = [];

  /** `change` may make something else of what the server says. */
  static async of(page, change = (text) => text) {
    const line = new Line();
    await page.routeWebSocket(/\/socket\/websocket/, (socket) => line.connect(socket, change));
    return line;
  }

  connect(socket, change) {
    if (this.isCut) return void socket.close();
    const server = socket.connectToServer();
    this.sockets.add(socket);
    server.onMessage((text) => {
      const pass = () => socket.send(change(String(text)));
      if (this.isHeld) this.held.push(pass);
      else pass();
    });
  }

  /** Ends what is connected, and lets nothing connect. */
  async cut() {
    this.isCut = true;
    await Promise.all([...this.sockets].map((socket) => socket.close()));
    this.sockets.clear();
  }

  mend() {
    this.isCut = false;
  }

  /** Nothing that the server says arrives until it is let go. */
  hold() {
    this.isHeld = true;
  }

  letGo() {
    this.isHeld = false;
    for (const pass of this.held.splice(0)) pass();
  }

  /** What was held is lost. */
  forget() {
    this.isHeld = false;
    this.held = [];
  }
}
