import { connect } from 'node:net';
import type { Socket } from 'node:net';

export type Answered = (status: number, answer: Buffer) => void;

/**
 * One keep-alive connection with one request at a time on it. Reads just enough of an answer to
 * know its status and its end: a generator must cost far less than what it measures.
 */
export class Connection {
  /** Called for each answer; its bytes are only good until the call returns. */
  answered: Answered = () => undefined;
  private readonly socket: Socket;
  private gathered: Buffer | undefined;
  /** The size and status of the last answer: most are like the one before. */
  private usualSize = -1;
  private usualStatus = 0;

  private constructor(port: number, ready: () => void, lost: (error: Error) => void) {
    this.socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      // One buffer for the life of the connection, instead of a new one for each answer.
      onread: {
        buffer: Buffer.allocUnsafe(64 << 10),
        callback: (size, buffer) => {
          this.read(buffer as Buffer, size);
          return true;
        },
      },
    });
    this.socket.once('connect', ready);
    this.socket.on('error', lost);
    this.socket.once('close', () => lost(new Error('The server closed a connection')));
  }

  static open(port: number, lost: (error: Error) => void): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection: Connection = new Connection(
        port,
        () => resolve(connection),
        (error) => {
          reject(error);
          lost(error);
        },
      );
    });
  }

  send(request: Buffer): void {
    this.socket.write(request);
  }

  close(): void {
    this.socket.removeAllListeners('close');
    this.socket.destroy();
  }

  private read(buffer: Buffer, size: number): void {
    if (!this.gathered && size === this.usualSize && statusOf(buffer) === this.usualStatus) {
      this.answered(this.usualStatus, buffer);
      return;
    }
    const piece = Buffer.from(buffer.subarray(0, size));
    const answer = this.gathered ? Buffer.concat([this.gathered, piece]) : piece;
    this.gathered = answer;
    const whole = sizeOf(answer);
    if (whole === undefined || answer.length < whole) return;
    this.gathered = undefined;
    this.usualSize = answer.length;
    this.usualStatus = statusOf(answer);
    this.answered(this.usualStatus, answer);
  }
}

/** Of `HTTP/1.1 200 OK`. */
function statusOf(answer: Buffer): number {
  const digit = (at: number) => (answer[at] ?? 0) - 0x30;
  return digit(9) * 100 + digit(10) * 10 + digit(11);
}

function sizeOf(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = answer.toString('latin1', 0, end);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer of unknown length: ${head}`);
  return end + 4 + Number(length);
}
