import { readAdminBotConfig } from '@pennant/contract/admin-bot.ts'
import { useQuery } from '@tanstack/react-query'
import { requestData } from '../../../api/client.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { RecordsWaiting } from '../solves/records.tsx'
import styles from '../solves/records.module.css'

/** The source code of a challenge's admin bot, as its author wrote it. */
export function BotSource({ id }: { readonly id: string }) {
  const text = useMessages(challengesMessages)
  const query = useQuery({
    queryKey: ['bot-source', id],
    queryFn: ({ signal }) => requestData(readAdminBotConfig, { params: { id } }, { signal }),
  })
  if (!query.data) return <RecordsWaiting query={query} />
  const { sourceCode, fileExtension } = query.data
  return (
    <>
      <div className={styles.sourceHead}>
        <code dir="ltr">{`admin-bot.${fileExtension.replace(/^\./, '')}`}</code>
        <CopyButton tone="quiet" text={sourceCode} />
      </div>
      <pre className={styles.source} dir="ltr" tabIndex={0} role="region" aria-label={text.botSource}>
        <code>{sourceCode}</code>
      </pre>
    </>
  )
}
