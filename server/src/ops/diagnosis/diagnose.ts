import { adminBotChecks } from './admin-bot.ts'
import { captchaChecks } from './captcha.ts'
import { challengeChecks } from './challenges.ts'
import { runChecks, unchecked, type Check, type Diagnosis, type Subject } from './check.ts'
import { databaseChecks, requireDatabase } from './database.ts'
import { eventChecks } from './event.ts'
import { hostChecks } from './host.ts'
import { instanceChecks } from './instances.ts'
import { mailChecks } from './mail.ts'
import { publicUrlChecks } from './public-url.ts'
import { redisChecks } from './redis.ts'
import { signInChecks } from './sign-in.ts'
import { uploadChecks } from './uploads.ts'

const CHECKS: readonly Check[] = [
  ...databaseChecks,
  ...eventChecks,
  ...challengeChecks,
  ...uploadChecks,
  ...publicUrlChecks,
  ...mailChecks,
  ...captchaChecks,
  ...signInChecks,
  ...instanceChecks,
  ...adminBotChecks,
  ...redisChecks,
  ...hostChecks,
]

/** Runs every check once. Checks of the tables wait for the checks of the database. */
export async function diagnose(subject: Subject): Promise<Diagnosis[]> {
  const first = await runChecks([requireDatabase], subject)
  const isUsable = first.every(({ severity }) => severity === 'ok')
  const withoutDatabase = CHECKS.map((check) =>
    isUsable || check.needsDatabase !== true
      ? check
      : { ...check, run: () => unchecked('The database cannot be used.') },
  )
  return [...first, ...(await runChecks(withoutDatabase, subject))]
}
