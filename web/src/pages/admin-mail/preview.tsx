import { createMailing, previewMailing, testMailing } from '@pennant/contract/mailings.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { requestData, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useFailure } from '../../api/use-failure.ts'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { refresh } from '../../state/live.ts'
import { adminMailMessages } from '../../text/en/admin-mail.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './admin-mail.module.css'
import { mailingsQuery, type MailData } from './queries.ts'

interface PreviewProps {
  readonly data: MailData
  readonly onClose: () => void
  readonly onSent: () => void
}

/** Who would get a mail and how it looks. Nothing is sent before this. */
export function Preview({ data, onClose, onSent }: PreviewProps) {
  const text = useMessages(adminMailMessages)
  const query = useQuery({
    queryKey: [OWN_KEY, 'mailing-preview', data],
    queryFn: ({ signal }) => requestData(previewMailing, { body: { data } }, { signal }),
    ...refresh(null),
    gcTime: 0,
  })
  const loadFailure = useFailure(query)
  const count = query.data?.count ?? 0
  const { busy, failure, tested, run } = useSend({
    data,
    count,
    onSent,
    onRefused: () => void query.refetch(),
  })
  return (
    <Dialog
      open
      size="medium"
      onClose={onClose}
      title={text.previewOf}
      actions={
        <>
          <Button busy={busy === 'test'} onClick={() => void run('test')}>
            {text.test}
          </Button>
          {count > 0 && (
            <Button tone="primary" busy={busy === 'send'} onClick={() => void run('send')}>
              {text.send(count)}
            </Button>
          )}
        </>
      }
    >
      {query.data ? (
        <div className="pn-stack pn-gap-3">
          <Facts preview={query.data} tested={tested} />
          <FailureLine>{failure}</FailureLine>
          <section className={styles.mail} tabIndex={0} dir="auto" aria-label={text.content}>
            {query.data.text}
          </section>
        </div>
      ) : (
        <LoadState failure={loadFailure}>
          <Skeleton rows={8} />
        </LoadState>
      )}
    </Dialog>
  )
}

interface FactsProps {
  readonly preview: Awaited<ReturnType<typeof requestData<typeof previewMailing>>>
  readonly tested: string | undefined
}

function Facts({ preview, tested }: FactsProps) {
  const text = useMessages(adminMailMessages)
  const { count, minutes, withoutAddress, optedOut } = preview
  return (
    <div className={styles.facts} role="status">
      <p>
        <b>{text.receivers(count)}</b> {count > 0 && text.minutes(minutes)}
      </p>
      {withoutAddress > 0 && <p>{text.withoutAddress(withoutAddress)}</p>}
      {optedOut > 0 && <p>{text.optedOut(optedOut)}</p>}
      {tested && <p>{tested}</p>}
    </div>
  )
}

interface SendOptions {
  readonly data: MailData
  readonly count: number
  readonly onSent: () => void
  readonly onRefused: () => void
}

function useSend({ data, count, onSent, onRefused }: SendOptions) {
  const text = useMessages(adminMailMessages)
  const queries = useQueryClient()
  const why = useFailureMessage()
  const [busy, setBusy] = useState<'test' | 'send' | null>(null)
  const [failure, setFailure] = useState<string>()
  const [tested, setTested] = useState<string>()
  const run = async (what: 'test' | 'send') => {
    if (busy !== null) return
    setBusy(what)
    setTested(undefined)
    const reason = await why(
      what === 'test'
        ? send(testMailing, { body: { data } }).then((response) => {
            if (response.kind === 'goodMailingTest') setTested(text.tested(response.data.address))
            return response
          })
        : send(createMailing, { body: { data: { ...data, count } } }),
    )
    setBusy(null)
    setFailure(reason ?? undefined)
    if (reason !== null) return onRefused()
    if (what === 'test') return
    announce(text.sent)
    void queries.invalidateQueries({ queryKey: mailingsQuery.queryKey })
    onSent()
  }
  return { busy, failure, tested, run }
}
