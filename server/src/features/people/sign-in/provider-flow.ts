import { createHash, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { PersonName } from '@pennant/contract/fields.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/sign-in.ts'
import * as client from 'openid-client'
import { z } from 'zod'
import type { SignInContext, Visitor } from './deps.ts'
import { createWithIdentity, findByIdentity, linkIdentity } from './identities.ts'
import {
  accountProblem,
  divisionOf,
  providerReason,
  type Provider,
  type ProviderAccount,
  type Secrets,
} from './provider.ts'
import { signIn } from './session.ts'

/** How long someone may take at the provider. */
const JOURNEY_MS = 10 * MINUTE_MS

/** What the server remembers of a browser that it sent to a provider. */
const Journey = z.object({
  provider: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Digest of the key that only this browser has. */
  browser: z.string(),
  /** To whom the account is linked; null to sign in. */
  personId: z.string().nullable(),
})

export interface Started {
  readonly id: string
  readonly browserKey: string
  readonly personId: string | null
}

/** The address at the provider. State, nonce and PKCE are new for each journey. */
export async function startJourney(context: SignInContext, { id, browserKey, personId }: Started) {
  const { markers, log } = context
  const provider = findProvider(context, id)
  if (!provider) return badEndpoint()
  const secrets = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  try {
    const url = await provider.authorizationUrl(secrets)
    const { nonce, verifier } = secrets
    const journey = { provider: id, nonce, verifier, browser: digest(browserKey), personId }
    await markers.set(keyOf(secrets.state), JSON.stringify(journey), JOURNEY_MS)
    return contract.goodProviderStart({ url })
  } catch (error) {
    log.warn({ provider: id, reason: providerReason(error) }, 'a sign-in provider cannot be used')
    return contract.badProviderUnavailable()
  }
}

interface Returned {
  readonly id: string
  readonly browserKey: string
  readonly response: string
}

/** What the provider's response leads to. A state works once, in the browser that it was made for. */
export async function finishJourney(context: SignInContext, returned: Returned, visitor: Visitor) {
  const { markers } = context
  const provider = findProvider(context, returned.id)
  if (!provider) return badEndpoint()
  const response = new URLSearchParams(returned.response)
  const state = response.get('state') ?? ''
  const stored = state === '' ? null : await markers.take(keyOf(state))
  const journey = stored === null ? null : Journey.parse(JSON.parse(stored))
  if (!journey || journey.provider !== returned.id || !isSame(journey.browser, digest(returned.browserKey)))
    return contract.badProviderResponse()
  const account = await proved(context, provider, { response, secrets: { state, ...journey } })
  return 'reply' in account
    ? account
    : await admit(context, { provider, account, personId: journey.personId }, visitor)
}

interface Response {
  readonly response: URLSearchParams
  readonly secrets: Secrets
}

/** Whatever fails here is the response's fault, or the provider's. */
async function proved({ log }: SignInContext, provider: Provider, { response, secrets }: Response) {
  try {
    return await provider.accountOf(response, secrets)
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
      return contract.badProviderCancelled()
    log.warn(
      { provider: provider.options.id, reason: providerReason(error) },
      'a sign-in at a provider failed',
    )
    return contract.badProviderResponse()
  }
}

interface Proved {
  readonly provider: Provider
  readonly account: ProviderAccount
  readonly personId: string | null
}

async function admit(
  context: SignInContext,
  { provider, account: proof, personId }: Proved,
  visitor: Visitor,
) {
  const { db, canRegister } = context
  const { options } = provider
  const account = { ...proof, division: divisionOf(options, proof) }
  if (account.issuer !== options.issuer) return contract.badProviderResponse()
  if (personId !== null) {
    const isLinked = await db.change((tx) => linkIdentity(tx, personId, account))
    return isLinked ? contract.goodProviderLinked() : contract.badKnownAccount()
  }
  const reason = accountProblem(options, account)
  if (reason !== null) return contract.badProviderAccount({ reason })
  const methods = [`provider:${options.id}`, ...account.amr.map((value) => `amr:${value}`)]
  const known = await findByIdentity(db, account)
  if (known) return await signIn(context, { account: known, method: 'provider', methods }, visitor)
  if (!options.create || !canRegister()) return contract.badUnknownPerson()
  const made = await db.change((tx) => createWithIdentity(tx, nameOf(account), account))
  if (!made) throw new Error('a person without an address collided')
  return await signIn(context, { account: made, method: 'provider', methods, isNew: true }, visitor)
}

/** What the provider calls the person, as far as it is a name here. */
function nameOf({ name }: ProviderAccount): string {
  const parsed = PersonName.safeParse((name ?? '').replaceAll(/\p{C}/gu, '').slice(0, 64))
  return parsed.success ? parsed.data : 'Player'
}

function findProvider({ hasPeople, providers }: SignInContext, id: string): Provider | undefined {
  return hasPeople ? providers.find(({ options }) => options.id === id) : undefined
}

const keyOf = (state: string) => `provider:${digest(state)}`

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
