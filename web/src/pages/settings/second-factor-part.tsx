import { confirmWithCode, renewRecoveryCodes } from '@pennant/contract/second-factor.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { canUsePasskeys, confirmWithOwnPasskey } from '../../account/passkey.ts'
import { send } from '../../api/client.ts'
import { renewToken } from '../../state/session.ts'
import { personPasskeyMessages } from '../../text/en/person-passkeys.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { focusWhenShown } from '../../ui/focus-when-shown.ts'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { Outcome } from './outcome.tsx'
import type { Ways } from './person-queries.ts'
import styles from './settings.module.css'
import { useChange, type Change } from './use-change.ts'

interface SecondFactorProps {
  readonly ways: Ways
  readonly onChanged: () => void
}

/** Gives the session of an organiser a second factor, and makes recovery codes. */
export function SecondFactorPart({ ways, onChanged }: SecondFactorProps) {
  const text = useMessages(personPasskeyMessages)
  const change = useChange(text.failures)
  const queries = useQueryClient()
  const { isConfirmed, isMissing, recoveryCodes } = ways.secondFactor
  /** What the session may read and do has changed. */
  const raise = (response: { readonly kind: string; readonly data?: unknown } | null) => {
    if (response?.kind !== 'goodConfirmation') return
    renewToken((response.data as { authToken: string }).authToken)
    announce(text.confirmed)
    onChanged()
    void queries.invalidateQueries()
  }
  const status = isConfirmed ? text.confirmed : isMissing ? text.addFirst : text.confirmNow
  const hasPasskey = ways.passkeys.length > 0 && canUsePasskeys()
  return (
    <Section title={text.secondFactor} level={3}>
      <div className={styles.form}>
        <p>
          {text.secondFactorAbout} <strong>{status}</strong>
        </p>
        {!isConfirmed && hasPasskey && (
          <div className={styles.actions}>
            <Button
              tone="primary"
              icon="key"
              busy={change.isPending}
              onClick={() => void change.run(confirmWithOwnPasskey, () => {}).then(raise)}
            >
              {text.confirm}
            </Button>
          </div>
        )}
        {!isConfirmed && recoveryCodes > 0 && <CodeForm change={change} onDone={raise} />}
        {isConfirmed && <Codes count={recoveryCodes} change={change} onChanged={onChanged} />}
        <Outcome change={change} />
      </div>
    </Section>
  )
}

interface CodeFormProps {
  readonly change: Change
  readonly onDone: (response: { readonly kind: string; readonly data?: unknown } | null) => void
}

function CodeForm({ change, onDone }: CodeFormProps) {
  const text = useMessages(personPasskeyMessages)
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({ code: code.trim() === '' ? text.missing : undefined }),
    submit: async ({ code }) =>
      onDone(
        await change.run(
          () => send(confirmWithCode, { body: { code: code.slice(0, 64) } }),
          () => {},
        ),
      ),
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <TextInput {...form.field('code')} mono label={text.code} help={text.codeHelp} autoComplete="off" />
      <div className={styles.actions}>
        <Button type="submit" busy={change.isPending}>
          {text.useCode}
        </Button>
      </div>
    </form>
  )
}

interface CodesProps {
  readonly count: number
  readonly change: Change
  readonly onChanged: () => void
}

function Codes({ count, change, onChanged }: CodesProps) {
  const text = useMessages(personPasskeyMessages)
  const [codes, setCodes] = useState<readonly string[]>()
  const renew = async () => {
    const response = await change.run(() => send(renewRecoveryCodes, {}), onChanged)
    if (response?.kind === 'goodRecoveryCodes') setCodes(response.data.codes)
  }
  return (
    <>
      <p>
        {text.codes(count)} {text.codesText}
      </p>
      {codes && (
        <>
          <p role="status">{text.codesOnce}</p>
          <ul
            key={codes[0]}
            ref={focusWhenShown}
            tabIndex={-1}
            aria-label={text.codesShown}
            className={styles.codes}
            dir="ltr"
          >
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <div className={styles.actions}>
            <CopyButton text={codes.join('\n')}>{text.copyCodes}</CopyButton>
            <Button onClick={() => print()}>{text.print}</Button>
          </div>
        </>
      )}
      <div className={styles.actions}>
        {count === 0 ? (
          <Button busy={change.isPending} onClick={() => void renew()}>
            {text.makeCodes}
          </Button>
        ) : (
          <ConfirmButton tone="plain" busy={change.isPending} onConfirm={() => void renew()}>
            {text.makeCodes}
          </ConfirmButton>
        )}
      </div>
    </>
  )
}
