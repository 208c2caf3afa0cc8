import { importTeams, registrationLimits } from '@pennant/contract/registration.ts'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { signInLink } from '../../account/linked-token.ts'
import { useAction } from '../../account/use-action.ts'
import { send, type requestData } from '../../api/client.ts'
import { divisionName, useConfig } from '../../api/use-contest.ts'
import { csvFile } from '../../organisers/csv-line.ts'
import { adminRegistrationMessages } from '../../text/en/admin-registration.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { Textarea } from '../../ui/fields/inputs.tsx'
import { FileDrop } from '../../ui/upload/file-drop.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Sheet } from './sheet.tsx'

type Result = Awaited<ReturnType<typeof requestData<typeof importTeams>>>

/** Creates teams from CSV: a check first, then all of them, then their sign-in slips. */
export function TeamImport() {
  const text = useMessages(adminRegistrationMessages)
  const config = useConfig()
  const action = useAction()
  const [csv, setCsv] = useState('')
  const [mail, setMail] = useState(false)
  const [result, setResult] = useState<Result | null>(null)
  const run = async (dryRun: boolean) => {
    const data = { csv, dryRun, mail: mail && config?.emailEnabled === true }
    const response = await action.run(() => send(importTeams, { body: { data } }))
    if (response) setResult(response.data)
  }
  const change = (next: string) => {
    setCsv(next)
    setResult(null)
  }
  const isChecked = result !== null && !result.created && result.problems.length === 0
  if (result?.created) return <Created teams={result.teams} onDone={() => change('')} />
  return (
    <div className="pn-stack pn-gap-4">
      <p className="pn-flat">{text.importAbout}</p>
      <FileDrop
        label={text.csvFile}
        accept=".csv,text/csv"
        maxSize={registrationLimits.csv}
        onFiles={([file]) => void file?.text().then(change)}
      />
      <Textarea
        mono
        label={text.csv}
        help={text.csvHelp}
        rows={8}
        maxLength={registrationLimits.csv}
        value={csv}
        onChange={change}
      />
      {config?.emailEnabled && <Switch label={text.mailTeams} checked={mail} onChange={setMail} />}
      <FailureLine>{action.failure}</FailureLine>
      {result && <Report result={result} />}
      <div className="pn-line pn-gap-3">
        <Button
          busy={action.isPending}
          disabledBecause={csv.trim() === '' ? text.csvMissing : undefined}
          onClick={() => void run(true)}
        >
          {text.check}
        </Button>
        <Button
          tone="primary"
          busy={action.isPending}
          disabledBecause={isChecked ? undefined : text.checkFirst}
          onClick={() => void run(false)}
        >
          {text.createTeams}
        </Button>
      </div>
    </div>
  )
}

function Report({ result: { teams, problems } }: { readonly result: Result }) {
  const text = useMessages(adminRegistrationMessages)
  const format = useFormat()
  if (problems.length === 0) return <p role="status">{text.importable(format.number(teams.length))}</p>
  return (
    <div role="alert">
      <p>{text.problemsFound}</p>
      <ul>
        {problems.map(({ line, column, problem }) => (
          <li key={`${line} ${column} ${problem}`}>
            {text.atLine(format.number(line), column)} {text.fileProblems[problem]}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface CreatedProps {
  readonly teams: Result['teams']
  readonly onDone: () => void
}

/** The tokens are shown here only. */
function Created({ teams, onDone }: CreatedProps) {
  const text = useMessages(adminRegistrationMessages)
  const format = useFormat()
  const config = useConfig()
  const [isPrinting, setPrinting] = useState(false)
  const slips = teams.map(({ name, email, division, token = '' }) => ({
    id: email,
    link: signInLink(token),
    name,
    note: divisionName(config?.divisions, division),
  }))
  const save = () => {
    const rows = teams.map(({ name, email, division, token = '' }) => [
      name,
      email,
      division,
      signInLink(token),
    ])
    const content = csvFile(['team', 'email', 'division', 'sign_in'], rows)
    saveFile({ name: 'team-sign-in.csv', content, type: 'text/csv;charset=utf-8' })
  }
  return (
    <div className="pn-stack pn-gap-4">
      <p role="status">{text.teamsCreated(format.number(teams.length))}</p>
      <p className="pn-flat">{text.slipsAbout}</p>
      <div className="pn-line pn-gap-3">
        <Button tone="primary" onClick={() => setPrinting(true)}>
          {text.printSlips}
        </Button>
        <Button icon="download" onClick={save}>
          {text.saveSlips}
        </Button>
        <Button onClick={onDone}>{text.importMore}</Button>
      </div>
      {isPrinting && (
        <Sheet
          title={text.printSlips}
          slips={slips}
          about={text.slipAbout}
          onDone={() => setPrinting(false)}
        />
      )}
    </div>
  )
}
