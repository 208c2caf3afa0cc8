import type { ServerResponse } from 'node:http'
import { sendJson, startHttpService, type HttpService } from './http-service.ts'

/** How the service behaves. */
export type Mood = 'well' | 'nonsense' | 'failing' | 'silent' | 'hanging up' | 'talkative'

export interface FakeInstancer extends HttpService {
  mood: Mood
  /** Running instances, keyed `integration id/team id`, with their lifetimes. */
  readonly running: ReadonlyMap<string, number>
  /** Ends expired instances; every request does so too. */
  expire(): void
}

interface Form {
  readonly kind: string
  readonly serviceAuthToken: string
  readonly teamId: string
  readonly challengeIntegrationId: string
  readonly timeoutMilliseconds: number
  readonly expose: readonly { readonly kind: string; readonly hostPrefix: string }[]
}

export const instancerToken = 'instancer-secret-1f4c'

/**
 * A service with the protocol of docs/reference/providers.md#http-instancer-protocol, in place of an engine.
 */
export async function startFakeInstancer({ now = (): number => 0 } = {}): Promise<FakeInstancer> {
  const running = new Map<string, number>()
  const ends = new Map<string, number>()
  const endpoints = new Map<string, object[]>()

  function expire(): void {
    for (const [name, endsAt] of ends)
      if (endsAt <= now()) {
        running.delete(name)
        ends.delete(name)
      }
  }

  function handle(form: Form, response: ServerResponse): void {
    const name = `${form.challengeIntegrationId}/${form.teamId}`
    const refuse = (status: number, message: string) =>
      sendJson(response, status, { kind: 'instancerError', message })
    const tell = (status: string) => {
      const timeLeft = running.get(name) ?? null
      const shown = timeLeft === null ? null : endpoints.get(name)
      const kind = 'instancerInstanceDetails'
      sendJson(response, 200, { kind, status, timeLeftMilliseconds: timeLeft, endpoints: shown })
    }
    if (form.serviceAuthToken !== instancerToken) return refuse(422, 'bad token')
    expire()
    const isThere = running.has(name)
    switch (form.kind) {
      case 'instancerCreateInstanceForm': {
        if (isThere) return refuse(400, 'The instance exists already.')
        running.set(name, form.timeoutMilliseconds)
        ends.set(name, now() + form.timeoutMilliseconds)
        const reached = form.expose.map(({ kind, hostPrefix }, index) => ({
          kind,
          host: `${hostPrefix}.instances.example`,
          port: 40_000 + index,
          title: 'not from the configuration',
        }))
        endpoints.set(name, reached)
        return tell('starting')
      }
      case 'instancerGetInstanceForm':
        return isThere ? tell('running') : refuse(404, 'not found')
      case 'instancerRenewInstanceForm':
        if (!isThere) return refuse(404, 'There is no such instance.')
        running.set(name, form.timeoutMilliseconds)
        ends.set(name, now() + form.timeoutMilliseconds)
        return tell('running')
      default:
        if (!running.delete(name)) return refuse(404, 'There is no such instance.')
        return tell('stopped')
    }
  }

  const fake: { mood: Mood } = { mood: 'well' }
  const service = await startHttpService(({ headers, body }, response) => {
    switch (fake.mood) {
      case 'silent':
        return
      case 'hanging up':
        response.destroy()
        return
      case 'nonsense':
        response.end('<html>welcome</html>')
        return
      case 'failing':
        sendJson(response, 500, { kind: 'oops', stack: instancerToken })
        return
      case 'talkative': {
        const where = `http://10.1.2.3:8080/v1 via docker-1.internal:2375`
        const message = `no room at ${where} for ${headers.authorization} and ${instancerToken}`
        sendJson(response, 500, { kind: 'instancerError', message })
        return
      }
      case 'well':
        handle(JSON.parse(body.toString()) as Form, response)
    }
  })
  return Object.assign(fake, {
    url: service.url,
    asked: service.asked,
    running,
    expire,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  })
}
