import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { setTimer as setRealTimer, type SetTimer } from '../../../lib/set-timer.ts'
import { OPENING_SEQ, type Connection, type Connections } from './connections.ts'
import type { Opening } from './opening.ts'

/** A client that takes longer to read a piece is closed, and resumes later. */
const PIECE_MS = MINUTE_MS

interface FeedDeps {
  readonly connections: Pick<Connections, 'write'>
  readonly setTimer?: SetTimer | undefined
}

/** Sends an opening piece by piece: the next one is rendered when the client has read the last, so that at most one waits in memory. */
export function feed(
  connection: Connection,
  pieces: Iterator<string, Opening>,
  { connections, setTimer = setRealTimer }: FeedDeps,
): void {
  const { response } = connection
  const { socket } = response
  for (;;) {
    // Its stream was ended, or it got `resync`.
    if (!socket || socket.destroyed || response.writableEnded || connection.seq !== OPENING_SEQ) return
    const piece = pieces.next()
    if (piece.done) {
      connection.seq = piece.value.seq
      return connections.write(connection, piece.value.text)
    }
    if (socket.write(piece.value)) continue
    const cancel = setTimer(PIECE_MS, () => socket.destroy())
    socket.once('close', cancel)
    return void socket.once('drain', () => {
      cancel()
      socket.off('close', cancel)
      feed(connection, pieces, { connections, setTimer })
    })
  }
}
