import { z } from 'zod'
import type { Uploads } from '../../providers/uploads/uploads.ts'

const Removal = z.object({ key: z.string() })

/** Removes a file that the outbox names. One that is gone already is no failure of a store. */
export function createFileRemover({ remove }: Pick<Uploads, 'remove'>): (payload: unknown) => Promise<void> {
  return (payload) => remove(Removal.parse(payload).key)
}
