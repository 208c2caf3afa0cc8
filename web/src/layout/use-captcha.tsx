import { createCaptchaChallenge } from '@pennant/contract/captcha.ts'
import { captchaCodeOf } from '@pennant/contract/captcha-code.ts'
import type { CaptchaAction } from '@pennant/contract/route.ts'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { requestData } from '../api/client.ts'
import { useConfig } from '../api/use-contest.ts'

const CaptchaGate = lazy(async () => ({
  default: (await import('../ui/captcha/captcha-gate.tsx')).CaptchaGate,
}))

interface Captcha {
  /**
   * Undefined if the action is not protected, null if the visitor cancelled. Call for each request: a code
   * works once.
   */
  readonly getCode: () => Promise<string | undefined | null>
  /** Must be rendered somewhere on the page. */
  readonly gate: ReactNode
}

/** The captcha of a protected action. Its code is loaded when it is first needed. */
export function useCaptcha(action: CaptchaAction): Captcha {
  const captcha = useConfig()?.captcha
  const [isOpen, setOpen] = useState(false)
  const settle = useRef<(code: string | null) => void>(undefined)
  const signature = useRef('')
  const end = (code: string | null) => {
    setOpen(false)
    settle.current?.(code)
    settle.current = undefined
  }
  const getCode = async () => {
    if (!captcha?.protectedEndpoints[action]) return undefined
    return new Promise<string | null>((resolve) => {
      settle.current = resolve
      setOpen(true)
    })
  }
  const fetchTask = async () => {
    const task = await requestData(createCaptchaChallenge, {})
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
