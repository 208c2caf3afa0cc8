import type { IncomingMessage } from 'node:http'
import {
  goodAdminDiagnosis,
  goodAdminDiagnosisRun,
  goodClientAddress,
  readClientAddress,
  readDiagnosis,
  runDiagnosis,
} from '@pennant/contract/diagnosis.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import { createProxyTrust, isForwarded } from '../../http/request/proxy-trust.ts'
import type { Log } from '../../lib/log.ts'
import type { WorldView } from '../../world/model.ts'
import type { Diagnosis, Subject } from './check.ts'
import { diagnose } from './diagnose.ts'

export interface DiagnosisDeps {
  readonly world: () => WorldView
  readonly log: Log
  readonly subject: Subject
  readonly deployment: string
}

/** Longer entries are no addresses. */
const MAX_ENTRY = 100

function lastForwardedOf({ headers }: IncomingMessage): string {
  const last =
    String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(-1) ?? ''
  return last.trim().slice(0, MAX_ENTRY)
}

/** The diagnosis of this process. Runs only on request, one at a time; the last result stays in memory. */
export function diagnosisRoutes({ world, log, subject, deployment }: DiagnosisDeps): Endpoint[] {
  let last: { readonly ranAt: number; readonly checks: Diagnosis[] } | null = null
  let isRunning = false
  const { senderOf } = createProxyTrust(subject.config.proxy)
  const forwardingOf = (request: IncomingMessage) => {
    if (!isForwarded(request)) return 'none'
    return senderOf(request).hasIgnoredHeaders ? 'ignored' : 'read'
  }
  const stateFor = (address: string) => ({
    now: subject.now(),
    address,
    isRunning,
    ranAt: last?.ranAt ?? null,
    checks: last?.checks ?? [],
  })

  async function run(mailTo: string | undefined): Promise<void> {
    isRunning = true
    try {
      // A new object for each run, because checks share what they read within one.
      const checks = await diagnose({ ...subject, mailTo })
      last = { ranAt: subject.now(), checks }
    } catch (error) {
      log.error({ err: error }, 'the diagnosis failed')
    } finally {
      isRunning = false
    }
  }

  return [
    on(readClientAddress, ({ ip, incoming }) =>
      goodClientAddress({
        address: ip,
        forwarding: forwardingOf(incoming.raw),
        lastForwarded: lastForwardedOf(incoming.raw),
        deployment,
      }),
    ),

    on(readDiagnosis, ({ ip }) => goodAdminDiagnosis(stateFor(ip))),

    on(runDiagnosis, ({ ip, team, body: { sendMail } }) => {
      const own = world().team(team.id)?.email ?? undefined
      if (!isRunning) void run(sendMail ? own : undefined)
      return goodAdminDiagnosisRun(stateFor(ip))
    }),
  ]
}
