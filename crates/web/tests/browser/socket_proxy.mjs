// A WebSocket between one page and the server that tests can interrupt.

/** The WebSockets that a page opens from now on. */
export class SocketProxy {
  isCut = false;
  isHeld = false;
  sockets = new Set();
  held = [];

  /** `change` can alter what the server sends. */
  static async of(page, change = (text) => text) {
    const proxy = new SocketProxy();
    await page.routeWebSocket(/\/socket\/websocket/, (socket) => proxy.connect(socket, change));
    return proxy;
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

  /** Closes all sockets and refuses new ones. */
  async cut() {
    this.isCut = true;
    await Promise.all([...this.sockets].map((socket) => socket.close()));
    this.sockets.clear();
  }

  /** Accepts sockets again. */
  restore() {
    this.isCut = false;
  }

  /** Holds back what the server sends. */
  hold() {
    this.isHeld = true;
  }

  /** Delivers what was held back. */
  release() {
    this.isHeld = false;
    for (const pass of this.held.splice(0)) pass();
  }

  /** Loses what was held back. */
  discard() {
    this.isHeld = false;
    this.held = [];
  }
}
