import { goodPersonSignIn } from '@pennant/contract/sign-in.ts'
import { MAX_SESSIONS } from '@pennant/contract/sessions.ts'
import { hasSecondFactor } from '../persons/permissions.ts'
import { beginSession } from '../persons/sessions.ts'
import type { SignInContext, Visitor } from './deps.ts'
import { isDemandedOf } from './second-factor.ts'
import { countSessions, endOldest, type Account } from './store.ts'

interface Proved {
  readonly account: Pick<Account, 'id' | 'name' | 'teamId'>
  readonly method: 'mail' | 'link' | 'passkey' | 'provider'
  /** Further methods, such as those that a provider reports. */
  readonly methods?: readonly string[]
  readonly isNew?: boolean
}

/** Begins the session of a person who has proved to be one. */
export async function signIn(
  context: SignInContext,
  { account, method, methods = [], isNew = false }: Proved,
  visitor: Visitor,
) {
  const { db, world, now, sessionLifeMs, organiserSessionLifeMs } = context
  const { id, name, teamId } = account
  const isOrganiser = teamId !== null && (world().team(teamId)?.perms ?? 0) !== 0
  const lifeMs = isOrganiser ? Math.min(sessionLifeMs, organiserSessionLifeMs) : sessionLifeMs
  const at = now()
  const all = [method, ...methods]
  const authToken = await beginSession(context, {
    personId: id,
    methods: all,
    ...visitor,
    lifeMs,
  })
  const of = { personId: id, now: at }
  if ((await countSessions(db, of)) > MAX_SESSIONS) await db.change((tx) => endOldest(tx, of, MAX_SESSIONS))
  const needsSecondFactor = !hasSecondFactor(all) && isDemandedOf(context, id)
  const refusal = teamId === null ? await context.createTeam?.(account) : null
  const expiresAt = Math.floor(at / 1000) * 1000 + lifeMs
  return goodPersonSignIn({
    authToken,
    person: { id, name },
    isNew,
    needsSecondFactor,
    expiresAt,
    ...(refusal && { teamRefusal: refusal }),
  })
}
