import { z } from 'zod'
import type { Uploads } from '../../../providers/uploads/uploads.ts'

const Removal = z.object({ key: z.string() })

/** Deletes a file named by an outbox row. A file that no longer exists is not an error. */
export function createFileRemover({ remove }: Pick<Uploads, 'remove'>): (payload: unknown) => Promise<void> {
  return (payload) => remove(Removal.parse(payload).key)
}
