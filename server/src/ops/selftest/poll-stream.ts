import { openStream } from '@pennant/contract/stream.ts'
import type { Wire } from './wire.ts'

export interface Polled {
  readonly names: readonly string[]
  /** From which the next poll continues. */
  readonly id: string
}

/** What the live stream sends after an event id, or at first. */
export async function pollStream(
  wire: Wire,
  { token, after }: { readonly token?: string; readonly after?: string } = {},
): Promise<Polled> {
  const headers = after === undefined ? {} : { 'last-event-id': after }
  const { text } = await wire.send({ path: openStream.path, token, headers })
  const all = (field: string) =>
    [...text.matchAll(new RegExp(`^${field}: (.+)$`, 'gm'))].map(([, value = '']) => value)
  return { names: all('event'), id: all('id').at(-1) ?? '' }
}
