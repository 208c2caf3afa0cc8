import type { recoverV2 } from '@pennant/contract/accounts.ts'
import type { askSignInMail } from '@pennant/contract/sign-in.ts'
import { useState } from 'react'
import { send } from '../api/client.ts'
import { useCaptcha } from '../layout/use-captcha.tsx'
import { useWait } from '../state/use-wait.ts'
import { accountMessages } from '../text/en/account.ts'
import { useErrorText, useMessages } from '../text/messages.ts'
import { useForm, type FormErrors } from '../ui/form.ts'

interface Values {
  readonly email: string
}

/** A form that asks the server to mail a link to an address. `onSent` gets the address as typed. */
export function useMailForm(route: typeof recoverV2 | typeof askSignInMail, onSent: (email: string) => void) {
  const account = useMessages(accountMessages)
  const errorText = useErrorText('once')
  const captcha = useCaptcha('recover')
  const wait = useWait()
  const [failure, setFailure] = useState<string>()
  const submit = async ({ email }: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    try {
      const response = await send(route, { body: { email, ...(captchaCode && { captchaCode }) } })
      if (response.kind === 'goodVerifySent') return onSent(email)
      if (response.kind === 'badEmail') return { email: errorText(response) }
      if (!wait.begin(response)) setFailure(errorText(response))
    } catch {
      setFailure(account.unconfirmed)
    }
  }
  const form = useForm<Values>({
    initial: { email: '' },
    validate: ({ email }) => ({ email: email.trim() === '' ? account.missing : undefined }),
    submit,
  })
  return {
    form,
    captchaGate: captcha.gate,
    waitS: wait.leftS,
    failure: wait.leftS > 0 ? account.tooManyAttempts : failure,
  }
}
