/** The two things that may happen to a transfer without ending it. */

/** It may be tried again: no connection, a connection that broke or went silent, a server that is busy. */
export class Interrupted extends Error {
  readonly why: 'unreachable' | 'broken' | 'silent' | 'busy';
  /** Milliseconds that the server asks to wait; null when it does not say. */
  readonly wait: number | null;
  /** HTTP status of a busy server. */
  readonly status: number | null;

  constructor(why: Interrupted['why'], wait: number | null = null, status: number | null = null) {
    super(why);
    this.why = why;
    this.wait = wait;
    this.status = status;
  }
}

/** What came cannot be used together with what comes: from the first byte, then. `message` says why. */
export class StartAgain extends Error {
  /** Ranges cannot be trusted here: one connection from beginning to end. */
  readonly oneStream: boolean;

  constructor(message: string, oneStream: boolean) {
    super(message);
    this.oneStream = oneStream;
  }
}
