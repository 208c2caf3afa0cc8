import type { ServerResponse } from 'node:http'
import { answerJson, startHttpService, type HttpService } from './http-service.ts'

/** How the service behaves. */
export type Mood = 'well' | 'nonsense' | 'failing' | 'silent' | 'hanging up' | 'talkative'

export interface StandInInstancer extends HttpService {
  mood: Mood
  /** Instances that run, as `integration id/team id`. */
  readonly running: ReadonlyMap<string, number>
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

/** A service that speaks the protocol of contract admin 4.3, in the place of an engine. */
export async function startStandInInstancer(): Promise<StandInInstancer> {
  const running = new Map<string, number>()
  const endpoints = new Map<string, object[]>()

  function handle(form: Form, response: ServerResponse): void {
    const name = `${form.challengeIntegrationId}/${form.teamId}`
    const refuse = (status: number, message: string) =>
      answerJson(response, status, { kind: 'instancerError', message })
    const tell = (status: string) => {
      const timeLeft = running.get(name) ?? null
      const shown = timeLeft === null ? null : endpoints.get(name)
      const kind = 'instancerInstanceDetails'
      answerJson(response, 200, { kind, status, timeLeftMilliseconds: timeLeft, endpoints: shown })
    }
    if (form.serviceAuthToken !== instancerToken) return refuse(422, 'bad token')
    const isThere = running.has(name)
    switch (form.kind) {
      case 'instancerCreateInstanceForm': {
        if (isThere) return refuse(400, 'The instance exists already.')
        running.set(name, form.timeoutMilliseconds)
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
        return tell('running')
      default:
        if (!running.delete(name)) return refuse(404, 'There is no such instance.')
        return tell('stopped')
    }
  }

  const standIn: { mood: Mood } = { mood: 'well' }
  const service = await startHttpService(({ headers, body }, response) => {
    switch (standIn.mood) {
      case 'silent':
        return
      case 'hanging up':
        response.destroy()
        return
      case 'nonsense':
        response.end('<html>welcome</html>')
        return
      case 'failing':
        answerJson(response, 500, { kind: 'oops', stack: instancerToken })
        return
      case 'talkative': {
        const where = `http://10.1.2.3:8080/v1 via docker-1.internal:2375`
        const message = `no room at ${where} for ${headers.authorization} and ${instancerToken}`
        answerJson(response, 500, { kind: 'instancerError', message })
        return
      }
      case 'well':
        handle(JSON.parse(body.toString()) as Form, response)
    }
  })
  return Object.assign(standIn, {
    url: service.url,
    asked: service.asked,
    running,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  })
}
