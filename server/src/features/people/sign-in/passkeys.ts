import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { AuthenticationResponse, RegistrationResponse } from '@pennant/contract/passkeys.ts'
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { z } from 'zod'
import type { SignInContext } from './deps.ts'
import { findPasskey, listPasskeys, recordPasskeyUse, type NewPasskey } from './passkey-store.ts'

// Passkeys are checked by the library: origin, relying party, challenge, signature, counter, and that the authenticator verified
// its user. What it does not know is here: which challenges are open, whose they are, and which passkeys exist.

/** How long someone may take at the authenticator. */
const CHALLENGE_MS = 5 * MINUTE_MS

/** What a challenge may be used for. Only the person who asked for it adds a passkey or confirms with it. */
export type Purpose =
  | { readonly use: 'add' | 'confirm'; readonly personId: string }
  | { readonly use: 'sign-in' }

const keyOf = (challenge: string) => `passkey:${createHash('sha256').update(challenge).digest('hex')}`

const textOf = ({ use, ...of }: Purpose) => `${use} ${'personId' in of ? String(of.personId) : ''}`

/** The domain that passkeys are bound to. Null for a bare address, which has none. */
export function relyingPartyOf(origin: string): string | null {
  const { hostname } = new URL(origin)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : null
}

// Loaded with the first passkey: few processes need it.
const library = () => import('@simplewebauthn/server')

type Passkeys = Pick<SignInContext, 'db' | 'markers' | 'origin' | 'log'> & { readonly rpId: string }

/** Options for an authenticator that makes a passkey. */
export async function creationOptions(
  { db, markers, rpId }: Passkeys,
  { id: personId, name }: { readonly id: string; readonly name: string },
) {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: rpId,
    rpID: rpId,
    userID: new TextEncoder().encode(personId),
    userName: name,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: (await listPasskeys(db, personId)).map(credentialOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await markers.set(keyOf(options.challenge), textOf({ use: 'add', personId }), CHALLENGE_MS)
  return options
}

/** Options for an authenticator that proves a passkey: one of the person to confirm, or any of this site to sign in. */
export async function requestOptions({ db, markers, rpId }: Passkeys, purpose: Purpose) {
  const { generateAuthenticationOptions } = await library()
  const own = 'personId' in purpose ? await listPasskeys(db, purpose.personId) : []
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: own.map(credentialOf),
  })
  await markers.set(keyOf(options.challenge), textOf(purpose), CHALLENGE_MS)
  return options
}

function credentialOf({ id, transports }: { readonly id: string; readonly transports: string[] }) {
  return { id, transports: transports as AuthenticatorTransport[] }
}

/** The passkey that a response proves to have been made for the purpose; null for every other response. */
export async function createdPasskey(
  context: Passkeys,
  response: z.output<typeof RegistrationResponse>,
  purpose: Purpose & { readonly use: 'add' },
): Promise<Omit<NewPasskey, 'name'> | null> {
  const claim = { purpose, clientData: response.response.clientDataJSON }
  return await accepted(context, claim, async (expected) => {
    const { verifyRegistrationResponse } = await library()
    if (!(await isWithoutCertificate(response.response.attestationObject))) return null
    const { transports, ...proof } = response.response
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response: { ...response, response: proof },
    })
    if (!verified) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { id, personId: purpose.personId, publicKey: Buffer.from(publicKey), counter, transports }
  })
}

/** Certificates are not asked for, and a hostile one could make the server fetch a list of revoked ones. */
async function isWithoutCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** Whose passkey a response proves, for the purpose; null for every other response. */
export async function provenPerson(
  context: Passkeys,
  response: z.output<typeof AuthenticationResponse>,
  purpose: Purpose & { readonly use: 'sign-in' | 'confirm' },
): Promise<string | null> {
  const claim = { purpose, clientData: response.response.clientDataJSON }
  return await accepted(context, claim, async (expected) => {
    const { id } = response
    const { userHandle, ...proof } = response.response
    const stored = await findPasskey(context.db, id)
    if (!stored || (userHandle && Buffer.from(userHandle, 'base64url').toString() !== stored.personId))
      return null
    if ('personId' in purpose && purpose.personId !== stored.personId) return null
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: { ...response, response: proof },
      credential: { id, publicKey: new Uint8Array(stored.publicKey), counter: stored.counter },
    })
    const use = { id, from: stored.counter, to: authenticationInfo.newCounter }
    return verified && (await recordPasskeyUse(context.db, use)) ? stored.personId : null
  })
}

interface Expected {
  readonly expectedChallenge: string
  readonly expectedOrigin: string
  readonly expectedRPID: string
  readonly requireUserVerification: true
}

interface Claim {
  readonly purpose: Purpose
  /** In which the browser repeats the challenge. */
  readonly clientData: string
}

/** Uses up the challenge, whatever the response is. */
async function accepted<T>(
  { markers, origin, rpId, log }: Passkeys,
  { purpose, clientData }: Claim,
  verify: (expected: Expected) => Promise<T | null>,
): Promise<T | null> {
  const expectedChallenge = challengeIn(clientData)
  if (expectedChallenge === null) return null
  if ((await markers.take(keyOf(expectedChallenge))) !== textOf(purpose)) return null
  const expectedOrigin = origin
  try {
    return await verify({
      expectedChallenge,
      expectedOrigin,
      expectedRPID: rpId,
      requireUserVerification: true,
    })
  } catch (error) {
    // Every response that does not fit throws. What it says is the sender's.
    const reason = error instanceof Error ? error.message.replaceAll(/\p{C}/gu, '').slice(0, 200) : ''
    log.warn({ reason }, 'a passkey was refused')
    return null
  }
}

const ClientData = z.object({ challenge: z.string().min(16).max(1024) })

function challengeIn(clientData: string): string | null {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientData, 'base64url').toString())).challenge
  } catch {
    return null
  }
}
