import { removeEmail, setEmailV2 } from '@pennant/contract/teams.ts'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { useConfig } from '../../api/use-contest.ts'
import { accountMessages } from '../../text/en/account.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Outcome, SaveButton } from './outcome.tsx'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'
import { useUnsaved } from './unsaved.ts'

interface EmailSectionProps {
  readonly team: { readonly email: string | null; readonly extrankId: string | null }
}

/** The email address for account recovery. */
export function EmailSection({ team }: EmailSectionProps) {
  const text = useMessages(settingsMessages)
  const account = useMessages(accountMessages)
  const change = useChange()
  const confirmed = useSuccess(text.saved)
  const captcha = useCaptcha('setEmail')
  const sendsMail = useConfig()?.emailEnabled ?? false
  const [saved, setSaved] = useState(team.email ?? '')
  const form = useForm({
    initial: { email: saved },
    validate: ({ email }) => ({ email: email.trim() === '' ? account.missing : undefined }),
    submit: async ({ email }) => {
      const captchaCode = await captcha.getCode()
      if (captchaCode === null) return
      const body = { email: email.trim(), ...(captchaCode && { captchaCode }) }
      const confirm = sendsMail ? () => change.setNext(text.linkSent) : confirmed.show
      if (await change.run(() => send(setEmailV2, { body }), confirm)) setSaved(email)
    },
  })
  const confirmRemoval = () => announce(text.emailRemoved)
  const remove = async () => {
    if (!(await change.run(() => send(removeEmail, {}), confirmRemoval))) return
    setSaved('')
    form.reset({ email: '' })
  }
  const isDirty = form.values.email !== saved
  useUnsaved('email', isDirty)
  return (
    <Panel title={text.email}>
      <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
        <TextInput
          {...form.field('email')}
          type="email"
          label={account.email}
          autoComplete="email"
          {...(sendsMail ? { help: text.emailHelp } : {})}
        />
        <Outcome change={change} />
        <div className={styles.actions}>
          <SaveButton change={change} isDirty={isDirty} success={confirmed} label={text.changeEmail} />
          {team.email !== null && (
            <ConfirmButton
              disabledBecause={team.extrankId === null ? text.emailNeeded : undefined}
              onConfirm={() => void remove()}
            >
              {text.removeEmail}
            </ConfirmButton>
          )}
        </div>
        {captcha.gate}
      </form>
    </Panel>
  )
}
