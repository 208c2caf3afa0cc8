import { byCommand, recordAdminAction } from '../db/admin-actions.ts'
import { addKey } from '../features/people/openid/keys.ts'
import { openExistingStore } from './existing-data.ts'
import type { ProcessContext } from './process-context.ts'
import { requireSameTokenKey } from './token-key.ts'

/** `pennant openid-key`: a new key signs the sign-ins at other sites. */
export async function replaceOpenIdKey(context: ProcessContext): Promise<void> {
  await using store = await openExistingStore(context, { needsKey: true })
  const { db, config } = store
  const { tokenKey } = config
  await requireSameTokenKey(db, tokenKey)
  const id = await addKey({ db, now: context.now, tokenKey }, { onlyFirst: false })
  await db.query(recordAdminAction({ ...byCommand, action: 'openid-key.create', target: id }))
  context.print(`The key ${id} signs from now on, in every process within a minute.`)
}
