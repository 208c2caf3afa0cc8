import { createCaptchaChallenge } from '@pennant/contract/captcha.ts'
import { captchaCodeOf } from '@pennant/contract/captcha-code.ts'
import type { CaptchaAction } from '@pennant/contract/route.ts'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { ask } from '../api/client.ts'
import { useConfig } from '../api/use-contest.ts'

const CaptchaGate = lazy(async () => ({
  default: (await import('../ui/captcha/captcha-gate.tsx')).CaptchaGate,
}))

interface Captcha {
  /** Undefined where the action is not protected, null when the visitor gave up. Asks each time: a code is good once. */
  readonly getCode: () => Promise<string | undefined | null>
  /** To be drawn somewhere on the page. */
  readonly gate: ReactNode
}

/** The captcha before an action that the event protects. Nothing of it is loaded before it is needed. */
export function useCaptcha(action: CaptchaAction): Captcha {
  const captcha = useConfig()?.captcha
  const [isOpen, setOpen] = useState(false)
  const answer = useRef<(code: string | null) => void>(undefined)
  const signature = useRef('')
  const end = (code: string | null) => {
    setOpen(false)
    answer.current?.(code)
    answer.current = undefined
  }
  const getCode = async () => {
    if (!captcha?.protectedEndpoints[action]) return undefined
    return new Promise<string | null>((resolve) => {
      answer.current = resolve
      setOpen(true)
    })
  }
  const fetchTask = async () => {
    const task = await ask(createCaptchaChallenge, {})
    signature.current = task.signature
    return task
  }
  const gate = captcha && isOpen && (
    <Suspense>
      <CaptchaGate
        open
        onClose={() => end(null)}
        onCode={end}
        provider={captcha.provider}
        siteKey={captcha.publicOptions['siteKey']}
        fetchTask={fetchTask}
        codeOf={({ prefix }, found) => captchaCodeOf({ prefix, signature: signature.current }, found)}
      />
    </Suspense>
  )
  return { getCode, gate }
}
