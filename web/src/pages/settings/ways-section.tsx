import {
  removePersonalLink,
  removePersonEmail,
  renewPersonalLink,
  setPersonEmail,
  unlinkProvider,
} from '@pennant/contract/sign-in.ts'
import { useState } from 'react'
import { leaveForProvider } from '../../account/provider-journey.ts'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { accountMessages } from '../../text/en/account.ts'
import { personSignInMessages } from '../../text/en/person-sign-in.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Secret } from '../../ui/buttons/secret.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Panel, Section } from '../../ui/states/panel.tsx'
import { Outcome } from './outcome.tsx'
import { PasskeysPart } from './passkeys-part.tsx'
import type { Ways } from './person-queries.ts'
import { SecondFactorPart } from './second-factor-part.tsx'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'

interface WaysProps {
  readonly ways: Ways
  readonly onChanged: () => void
}

/** How the person who is signed in can sign in elsewhere. */
export function WaysSection({ ways, onChanged }: WaysProps) {
  const text = useMessages(personSignInMessages)
  const settings = useMessages(settingsMessages)
  const sendsMail = useConfig()?.emailEnabled ?? false
  return (
    <Panel title={settings.ways}>
      <div className={styles.form}>
        <p>{text.waysText(ways.person.name)}</p>
        <PasskeysPart passkeys={ways.passkeys} onChanged={onChanged} />
        {ways.secondFactor.isDemanded && <SecondFactorPart ways={ways} onChanged={onChanged} />}
        {(sendsMail || ways.email !== null) && <MailWay ways={ways} onChanged={onChanged} />}
        {ways.providers.map((provider) => (
          <ProviderWay key={provider.id} provider={provider} onChanged={onChanged} />
        ))}
        <LinkWay ways={ways} onChanged={onChanged} />
      </div>
    </Panel>
  )
}

function MailWay({ ways: { email }, onChanged }: WaysProps) {
  const text = useMessages(personSignInMessages)
  const account = useMessages(accountMessages)
  const change = useChange(text.failures)
  const captcha = useCaptcha('recover')
  const form = useForm({
    initial: { email: email ?? '' },
    validate: (values) => ({ email: values.email.trim() === '' ? account.missing : undefined }),
    submit: async (values) => {
      const captchaCode = await captcha.getCode()
      if (captchaCode === null) return
      const body = { email: values.email.trim(), ...(captchaCode && { captchaCode }) }
      await change.run(
        () => send(setPersonEmail, { body }),
        () => change.setNext(text.mailSent),
      )
    },
  })
  const remove = () =>
    change.run(
      () => send(removePersonEmail, {}),
      () => {
        form.reset({ email: '' })
        announce(text.mailRemoved)
        onChanged()
      },
    )
  return (
    <Section title={text.byMail} level={3}>
      <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
        <TextInput
          {...form.field('email')}
          type="email"
          label={account.email}
          help={text.mailHelp}
          autoComplete="email"
        />
        <Outcome change={change} />
        <div className={styles.actions}>
          <Button
            type="submit"
            busy={change.isPending}
            disabledBecause={change.waitS > 0 ? text.retryIn(change.waitS) : undefined}
          >
            {email === null ? text.addMail : text.changeMail}
          </Button>
          {email !== null && <ConfirmButton onConfirm={() => void remove()}>{text.removeMail}</ConfirmButton>}
        </div>
        {captcha.gate}
      </form>
    </Section>
  )
}

interface ProviderWayProps {
  readonly provider: Ways['providers'][number]
  readonly onChanged: () => void
}

function ProviderWay({ provider: { id, label, account }, onChanged }: ProviderWayProps) {
  const text = useMessages(personSignInMessages)
  const change = useChange(text.failures)
  const link = () =>
    change.run(
      () => leaveForProvider({ provider: id, isLink: true }),
      () => {},
    )
  const unlink = () =>
    change.run(
      () => send(unlinkProvider, { params: { id } }),
      () => {
        announce(text.unlinked)
        onChanged()
      },
    )
  return (
    <Section title={label} level={3}>
      <div className={styles.form}>
        <p>
          <bdi>{account === null ? text.notLinked : text.linkedTo(account)}</bdi>
        </p>
        <Outcome change={change} />
        <div className={styles.actions}>
          {account === null ? (
            <Button icon="external" busy={change.isPending} onClick={() => void link()}>
              {text.linkProvider(label)}
            </Button>
          ) : (
            <ConfirmButton busy={change.isPending} onConfirm={() => void unlink()}>
              {text.unlinkProvider(label)}
            </ConfirmButton>
          )}
        </div>
      </div>
    </Section>
  )
}

function LinkWay({ ways: { personalLink }, onChanged }: WaysProps) {
  const text = useMessages(personSignInMessages)
  const change = useChange(text.failures)
  const [link, setLink] = useState<string>()
  const renew = async () => {
    const response = await change.run(() => send(renewPersonalLink, {}), onChanged)
    if (response) setLink(response.data.link)
  }
  const remove = () =>
    change.run(
      () => send(removePersonalLink, {}),
      () => {
        setLink(undefined)
        announce(text.linkRemoved)
        onChanged()
      },
    )
  return (
    <Section title={text.personalLink} level={3}>
      <div className={styles.form}>
        <p>{personalLink ? text.hasLink : text.noPersonalLink}</p>
        {link !== undefined && (
          <>
            <p role="status">{text.linkOnce}</p>
            <Secret label={text.personalLink} value={link} />
          </>
        )}
        <Outcome change={change} />
        <div className={styles.actions}>
          {personalLink ? (
            <>
              <ConfirmButton tone="plain" busy={change.isPending} onConfirm={() => void renew()}>
                {text.renewLink}
              </ConfirmButton>
              <ConfirmButton onConfirm={() => void remove()}>{text.removeLink}</ConfirmButton>
            </>
          ) : (
            <Button busy={change.isPending} onClick={() => void renew()}>
              {text.makeLink}
            </Button>
          )}
        </div>
      </div>
    </Section>
  )
}
