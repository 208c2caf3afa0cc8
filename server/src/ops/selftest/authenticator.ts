import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** An authenticator in memory, which does what a test says: also what a real one never does. */
export interface Authenticator {
  readonly id: string
  counter: number
  /** The site that asks; the browser puts it there. */
  origin: string
  /** Of the site, or of another one for a response that was made for it. */
  rpId: string
  isUserVerified: boolean
  userHandle: string
  create(options: Options): object
  get(options: Options): object
}

type Options = Readonly<Record<string, unknown>>

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_KEY = 64

export function createAuthenticator({ origin }: { readonly origin: string }): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credential = randomBytes(32)
  const id = credential.toString('base64url')
  const authenticator: Authenticator = {
    id,
    counter: 0,
    origin,
    rpId: new URL(origin).hostname,
    isUserVerified: true,
    userHandle: '',

    create({ challenge, user }) {
      authenticator.userHandle = (user as { id: string }).id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const length = Buffer.from([0, credential.length])
      const data = Buffer.concat([head(HAS_KEY), Buffer.alloc(16), length, credential, key])
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x59, data.length >> 8, data.length & 255]),
        data,
      ])
      const clientDataJSON = clientData('webauthn.create', challenge)
      return response({
        clientDataJSON,
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },

    get({ challenge }) {
      const data = head(0)
      const clientDataJSON = clientData('webauthn.get', challenge)
      const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
      const signature = createSign('sha256').update(data).update(hash).sign(privateKey)
      return response({
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: authenticator.userHandle || undefined,
      })
    },
  }

  function head(flags: number): Buffer {
    const { rpId, isUserVerified, counter } = authenticator
    const bytes = Buffer.alloc(37)
    createHash('sha256').update(rpId).digest().copy(bytes)
    bytes[32] = USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0) | flags
    bytes.writeUInt32BE(counter, 33)
    return bytes
  }

  function clientData(type: string, challenge: unknown): string {
    const data = { type, challenge, origin: authenticator.origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(data)).toString('base64url')
  }

  const response = (proof: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: proof,
  })
  return authenticator
}
