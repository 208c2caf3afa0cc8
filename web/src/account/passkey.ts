import {
  addPasskey,
  finishPasskeySignIn,
  startPasskey,
  startPasskeySignIn,
} from '@pennant/contract/passkeys.ts'
import type { ResultOf } from '@pennant/contract/client.ts'
import type { Route } from '@pennant/contract/route.ts'
import { confirmWithPasskey, startConfirmation } from '@pennant/contract/second-factor.ts'
import { send } from '../api/client.ts'

/** Whether this browser has passkeys for this site. They belong to a name, so a bare address has none. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^\[|^[\d.]+$/.test(location.hostname)
}

/** What the person did instead, as a result that texts by kind explain. */
interface Stopped {
  readonly kind: 'passkeyCancelled' | 'passkeyPresent' | 'passkeyFailed'
  readonly message: string
  readonly data: undefined
}

/** The browser's dialog. Returns the authenticator's response, or why there is none. */
async function asked<T>(ask: () => Promise<T>): Promise<T | Stopped> {
  try {
    return await ask()
  } catch (error) {
    return { kind: reasonOf(error as Error), message: '', data: undefined }
  }
}

function reasonOf({ name }: Error): Stopped['kind'] {
  if (name === 'NotAllowedError' || name === 'AbortError') return 'passkeyCancelled'
  return name === 'InvalidStateError' ? 'passkeyPresent' : 'passkeyFailed'
}

// Loaded with the first passkey: most people have none.
const library = () => import('@simplewebauthn/browser')

type Outcome<R extends Route> = ResultOf<typeof startPasskey> | ResultOf<R> | Stopped

/** Makes a passkey on a device that the browser offers, and adds it to the person. */
export async function makePasskey(name: string): Promise<Outcome<typeof addPasskey>> {
  const started = await send(startPasskey, {})
  if (started.kind !== 'goodPasskeyOptions') return started
  const { startRegistration } = await library()
  const made = await asked(() => startRegistration({ optionsJSON: started.data.options as never }))
  if ('kind' in made) return made
  return await send(addPasskey, { body: { name, response: made as never } })
}

export async function signInWithPasskey(): Promise<Outcome<typeof finishPasskeySignIn>> {
  const started = await send(startPasskeySignIn, {})
  if (started.kind !== 'goodPasskeyOptions') return started
  const proof = await provePasskey(started.data.options)
  if ('kind' in proof) return proof
  return await send(finishPasskeySignIn, { body: { response: proof as never } })
}

/** Raises the session that is running. */
export async function confirmWithOwnPasskey(): Promise<
  ResultOf<typeof startConfirmation> | ResultOf<typeof confirmWithPasskey> | Stopped
> {
  const started = await send(startConfirmation, {})
  if (started.kind !== 'goodPasskeyOptions') return started
  const proof = await provePasskey(started.data.options)
  if ('kind' in proof) return proof
  return await send(confirmWithPasskey, { body: { response: proof as never } })
}

async function provePasskey(options: unknown) {
  const { startAuthentication } = await library()
  return await asked(() => startAuthentication({ optionsJSON: options as never }))
}
