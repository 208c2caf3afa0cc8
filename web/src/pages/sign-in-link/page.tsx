import { readSignInLink, useSignInLink as requestSignIn } from '@pennant/contract/sign-in.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useRegistrationFields } from '../../account/registration-fields.tsx'
import { AccountPage } from '../../account/account-page.tsx'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { KeepLink, type NewPerson } from '../../account/keep-link.tsx'
import { useLinkedToken } from '../../account/linked-token.ts'
import { useAction } from '../../account/use-action.ts'
import { useEnter } from '../../account/use-enter.ts'
import styles from '../../account/account.module.css'
import { requestData, send } from '../../api/client.ts'
import { kindOf } from '../../api/failure.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'
import { signIn } from '../../state/session.ts'
import { accountMessages } from '../../text/en/account.ts'
import { personSignInMessages } from '../../text/en/person-sign-in.ts'
import { useMessages } from '../../text/messages.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'

/** Where the links of people lead: from a mail, or kept. */
export function Component() {
  const text = useMessages(personSignInMessages)
  const token = useLinkedToken()
  if (token !== null) return <OpenedLink key={token} token={token} />
  return (
    <AccountPage title={text.linkTitle}>
      <EmptyState action={<Link to={paths.signIn()}>{text.newLink}</Link>}>{text.noLink}</EmptyState>
    </AccountPage>
  )
}

/** Describes what the link does without using it, because mail scanners open links too. */
function OpenedLink({ token }: { readonly token: string }) {
  const text = useMessages(personSignInMessages)
  const [isConfirmed, setConfirmed] = useState(false)
  const [isNew, setNew] = useState<NewPerson | null>(null)
  const query = useQuery({
    queryKey: ['sign-in-link', token],
    queryFn: ({ signal }) => requestData(readSignInLink, { body: { token } }, { signal }),
    ...refresh(null),
    gcTime: 0,
  })
  const { data } = query
  const failure = useFailure(query)
  if (isNew) return <KeepLink {...isNew} />
  if (isConfirmed) {
    return (
      <AccountPage title={text.linkTitle}>
        <EmptyState action={<Link to={paths.settings()}>{text.toSettings}</Link>}>
          {text.confirmed}
        </EmptyState>
      </AccountPage>
    )
  }
  if (kindOf(failure.error) === 'badSignInLink') {
    return (
      <AccountPage title={text.linkTitle}>
        <EmptyState action={<Link to={paths.signIn()}>{text.newLink}</Link>}>{text.badLink}</EmptyState>
      </AccountPage>
    )
  }
  return (
    <AccountPage title={text.linkTitle}>
      {data ? (
        <Action token={token} info={data} onConfirmed={() => setConfirmed(true)} onNew={setNew} />
      ) : (
        <LoadState failure={failure}>
          <Skeleton rows={3} />
        </LoadState>
      )}
    </AccountPage>
  )
}

interface ActionProps {
  readonly token: string
  readonly info: {
    readonly kind: 'mail' | 'address' | 'personal'
    readonly email: string | null
    readonly name: string | null
  }
  readonly onConfirmed: () => void
  /** The person was created, and is signed in. */
  readonly onNew: (person: NewPerson) => void
}

function Action({ token, info, onConfirmed, onNew }: ActionProps) {
  const text = useMessages(personSignInMessages)
  const account = useMessages(accountMessages)
  const enter = useEnter()
  const action = useAction('once', text.failures)
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const asked = useRegistrationFields('person')
  const isNew = info.name === null
  const email = info.email ?? ''
  const said = isNew
    ? text.creates(email)
    : info.kind === 'address'
      ? text.confirms(email, info.name)
      : text.signsIn(info.name)
  const submit = async () => {
    setMissing(isNew && name.trim() === '')
    if (isNew && name.trim() === '') return
    const body = { token, ...(isNew && { name: name.trim(), personFields: asked.given }) }
    const response = await action.run(() => asked.recorded(send(requestSignIn, { body })))
    if (response === null) return
    if (response.kind === 'goodAddressConfirmed') return onConfirmed()
    signIn(response.data.authToken)
    const { isNew: isFirst, teamRefusal } = response.data
    if (isFirst) return onNew({ teamRefusal })
    enter(response.data, paths.home())
  }
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p>{said}</p>
      {isNew && (
        <TextInput
          label={text.yourName}
          help={text.yourNameHelp}
          value={name}
          onChange={setName}
          error={isMissing ? account.missing : undefined}
          required
          maxLength={64}
          autoComplete="name"
        />
      )}
      {isNew && asked.part}
      <FailureLine>{action.waitS > 0 ? account.tooManyAttempts : action.failure}</FailureLine>
      <ActionButton type="submit" waitS={action.waitS} busy={action.isPending}>
        {isNew ? text.create : info.kind === 'address' ? text.confirm : text.toSignIn}
      </ActionButton>
    </form>
  )
}
