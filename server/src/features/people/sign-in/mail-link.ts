import * as contract from '@pennant/contract/sign-in.ts'
import type { Answers } from '@pennant/contract/custom-field-values.ts'
import { goodVerifySent } from '@pennant/contract/accounts.ts'
import { badEndpoint, badKnownEmail } from '@pennant/contract/replies.ts'
import { addressKey } from '../../../http/request/client-address.ts'
import { answersTo } from '../../site/custom-fields/check.ts'
import { fieldsOf } from '../../site/custom-fields/definitions.ts'
import { writeAnswers } from '../../site/custom-fields/store.ts'
import { queueMail } from '../accounts/mail.ts'
import type { OpenedToken } from '../accounts/tokens.ts'
import { insertPerson } from '../persons/store.ts'
import type { SignInContext, Visitor } from './deps.ts'
import { accountOfLink } from './personal-link.ts'
import { signIn } from './session.ts'
import { findAccount, findByEmail, setEmail, type Account } from './store.ts'

/** Queues a link. Neither the response nor its timing says whether a person has the address. */
export async function askForMail(context: SignInContext, email: string, ip: string) {
  const { emailEnabled, hasPeople, canRegister, db, limiter, verifyTokens } = context
  if (!emailEnabled || !hasPeople) return badEndpoint()
  const refusal =
    (await limiter.take('recoverIp', addressKey(ip))) ?? (await limiter.take('recoverEmail', email))
  if (refusal) return refusal
  // Over the limit, the mail is just not sent: the response is always the same.
  if (await limiter.take('mailsToAddress', email)) return goodVerifySent()
  const isWanted = (await findByEmail(db, email)) !== null || canRegister()
  const token = await verifyTokens.issuePersonMail({ email, personId: null })
  await queueMail(context, { kind: isWanted ? 'person' : 'none', to: email, token })
  return goodVerifySent()
}

/** Mails a link that makes the address that of the person. */
export async function askForAddress(context: SignInContext, email: string, personId: string) {
  const { emailEnabled, limiter, verifyTokens } = context
  if (!emailEnabled) return badEndpoint()
  const refusal = await limiter.take('mailsToAddress', email)
  if (refusal) return refusal
  const token = await verifyTokens.issuePersonMail({ email, personId })
  await queueMail(context, { kind: 'personAddress', to: email, token })
  return goodVerifySent()
}

/** What a link would do. Does not use it up, because mail scanners open links too. */
export async function readLink(context: SignInContext, token: string) {
  const { db, hasPeople, canRegister, tokens, verifyTokens } = context
  if (!hasPeople) return badEndpoint()
  const opened = tokens.open(token, ['personal', 'personMail'])
  if (!opened) return contract.badSignInLink()
  if (opened.kind === 'personal') {
    const account = await accountOfLink(db, opened)
    if (!account) return contract.badSignInLink()
    return contract.goodSignInLink({ kind: 'personal', email: null, name: account.name })
  }
  if (!(await verifyTokens.isUnused(opened.verifyId))) return contract.badSignInLink()
  const { email, personId } = opened
  if (personId !== null) {
    const account = await ownerOf(context, { ...opened, personId })
    if (!account) return contract.badSignInLink()
    return contract.goodSignInLink({ kind: 'address', email, name: account.name })
  }
  const account = await findByEmail(db, email)
  if (!account && !canRegister()) return contract.badSignInLink()
  return contract.goodSignInLink({ kind: 'mail', email, name: account?.name ?? null })
}

interface Used {
  readonly token: string
  readonly name?: string | undefined
  readonly personFields?: Answers | undefined
}

/** Signs in with a link, or confirms the address that it proves. */
export async function useLink(context: SignInContext, { token, name, personFields }: Used, visitor: Visitor) {
  const { db, hasPeople, tokens, verifyTokens } = context
  if (!hasPeople) return badEndpoint()
  const opened = tokens.open(token, ['personal', 'personMail'])
  if (!opened) return contract.badSignInLink()
  if (opened.kind === 'personal') {
    const account = await accountOfLink(db, opened)
    if (!account) return contract.badSignInLink()
    return await signIn(context, { account, method: 'link' }, visitor)
  }
  const { verifyId, personId, email } = opened
  const work =
    personId === null
      ? await signInWork(context, { email, name, personFields, visitor })
      : () => confirmAddress(context, { ...opened, personId })
  if (typeof work !== 'function')
    return (await verifyTokens.isUnused(verifyId)) ? work : contract.badSignInLink()
  return (
    (await verifyTokens.consume<Awaited<ReturnType<typeof work>>>(verifyId, work)) ?? contract.badSignInLink()
  )
}

interface Arrival {
  readonly email: string
  readonly name: string | undefined
  readonly personFields: Answers | undefined
  readonly visitor: Visitor
}

/** What the link does; a reply if it cannot, in which case it is not used up. */
async function signInWork(context: SignInContext, { email, name, personFields, visitor }: Arrival) {
  const { db, canRegister, definitions } = context
  const known = await findByEmail(db, email)
  if (known) return () => signIn(context, { account: known, method: 'mail' }, visitor)
  if (!canRegister()) return contract.badSignInLink()
  if (name === undefined) return contract.badNameNeeded()
  const asked = fieldsOf(definitions(), 'person', 'registration')
  const { answers, refused } = answersTo(asked, { given: personFields, isComplete: true, by: null })
  if (refused) return refused
  return async () => {
    const id = await db.change(async (tx) => {
      const personId = await insertPerson(tx, { name, email })
      if (personId !== null)
        await writeAnswers(tx, [
          { owner: { personId }, answers: answers.map((answer) => ({ ...answer, by: personId })) },
        ])
      return personId
    })
    const account = id === null ? await findByEmail(db, email) : { id, name, teamId: null }
    if (!account) return contract.badSignInLink()
    return await signIn(context, { account, method: 'mail', isNew: id !== null }, visitor)
  }
}

type AddressMail = Extract<OpenedToken, { readonly kind: 'personMail' }> & { readonly personId: string }

/** Null if the person has since ended all sessions, or no longer exists. */
async function ownerOf({ db }: SignInContext, { personId, issuedAt }: AddressMail): Promise<Account | null> {
  const account = await findAccount(db, personId)
  return account && issuedAt >= account.sessionsValidFrom ? account : null
}

async function confirmAddress(context: SignInContext, mail: AddressMail) {
  const { db } = context
  if (!(await ownerOf(context, mail))) return contract.badSignInLink()
  const { personId: id, email } = mail
  const isSet = await db.change((tx) => setEmail(tx, { id, email }))
  return isSet ? contract.goodAddressConfirmed() : badKnownEmail()
}
