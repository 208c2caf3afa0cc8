import { z } from 'zod'
import { UnixMs } from './fields.ts'
import { organiserRoute, reply, route } from './route.ts'

// The checks of `pennant doctor` in the running server: docs/reference/administration.md#diagnosis

export const CheckSeverity = z.enum(['ok', 'warning', 'error', 'unchecked'])

/** More than there are checks. */
const MAX_CHECKS = 100

export const DiagnosisCheck = z.object({
  name: z.string().describe('As in docs/operate/doctor.md.'),
  severity: CheckSeverity.describe('`unchecked`: nothing is known, and `finding` says why.'),
  finding: z.string().describe('Plain English; may be empty for `ok`.'),
  remedy: z.string().describe('Empty if nothing has to be done.'),
})

const DiagnosisState = z.object({
  now: UnixMs,
  address: z
    .string()
    .describe("The client's address as this server sees it, for comparison with the real one."),
  isRunning: z.boolean(),
  ranAt: UnixMs.nullable().describe(
    'When the last run ended, in Unix milliseconds; null before the first one of this process.',
  ),
  checks: z.array(DiagnosisCheck).max(MAX_CHECKS).describe('Results of the last run.'),
})

export const goodAdminDiagnosis = reply(200, 'goodAdminDiagnosis', 'The last diagnosis.', DiagnosisState)
export const goodAdminDiagnosisRun = reply(
  200,
  'goodAdminDiagnosisRun',
  'The checks are running.',
  DiagnosisState,
)

export const readDiagnosis = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/diagnosis',
  perms: ['challsRead', 'settingsWrite'],
  scope: 'organise:read',
  summary: 'Results of the last diagnosis of this process.',
  publicDemo: false,
  replies: [goodAdminDiagnosis],
})

export const runDiagnosis = route({
  method: 'POST',
  path: '/api/v2/admin/diagnosis',
  auth: 'required',
  perms: ['challsRead', 'settingsWrite'],
  scope: 'settings:write',
  summary: 'Starts the checks unless they are running. With `sendMail`, a message goes to the own address.',
  body: z.object({ sendMail: z.boolean() }),
  bodyCap: 'admin',
  limits: ['organiserJobs'],
  replies: [goodAdminDiagnosisRun],
})

export const goodClientAddress = reply(
  200,
  'goodClientAddress',
  'The address that the request came from, as this server sees it.',
  z.object({
    address: z.string(),
    forwarding: z
      .enum(['none', 'ignored', 'read'])
      .describe('Whether a proxy said for whom it sent the request, and whether that was believed.'),
    lastForwarded: z.string().describe('The last entry of X-Forwarded-For, as it arrived.'),
    deployment: z
      .string()
      .describe('The same for all servers with one token key and database. Says nothing about either.'),
  }),
)

export const readClientAddress = route({
  method: 'GET',
  path: '/api/v2/diagnosis/address',
  auth: 'public',
  shows: [],
  summary: "The caller's address as the server sees it, to check the proxies in front of it.",
  limits: [],
  replies: [goodClientAddress],
})

export const diagnosisRouteList = [readDiagnosis, runDiagnosis, readClientAddress] as const
