// The answers of the service, as docs/openapi.yaml describes them; only what the page reads.

export type Behavior = 'allow' | 'ask' | 'deny'
export type Stakes = 'grave' | 'outside' | 'small'
export type Outcome = 'auto-accept' | 'auto-deny' | 'human-accept' | 'human-deny' | 'timeout-deny' | 'ask' | 'left-to-client'
export type ReviewStatus = 'pending' | 'approved' | 'denied' | 'expired'

export interface Me {
  name: string | null
  role: 'operator' | 'viewer'
  now: string
  version: string
  profile: string
  profiles?: string[]
  modes?: string[]
}

export interface FileAccess {
  path: string
  access: string[]
}

export interface Action {
  form: string | null
  at: number // bytes, not characters
  length: number
  parent: number | null
  redirect: boolean
  paths: FileAccess[]
  hosts: string[]
  effect_names: string[]
  cleared_by: string | null
}

export interface Finding {
  name: string
  what: string | null
  at: number
  length: number
}

export interface Said {
  layer: string
  said: 'allow' | 'ask' | 'deny' | 'pass'
  action: number | null
  rule: string | null
  reason: string | null
}

export interface RulePlace {
  source: string
  file: string | null
  line: number
}

// Why a call is asked about, in parts: redaction takes the secret out of `action` and leaves the rest.
export interface Why {
  action?: string | null
  effect?: string | null
  path?: string | null
  what?: string | null
  rule?: string | null
}

export interface Explained {
  behavior: Behavior
  layer: string
  rule: string | null
  reason: string
  findings: Finding[]
  suggestions: string[]
  immune: boolean
  rule_at: RulePlace | null
  mode: string
  profile: string
  understood: boolean
  actions: Action[]
  trace: Said[]
  cwd: string | null
  stakes?: Stakes
  headline?: string | null
  why?: Why
  tree?: SyntaxNode | null
}

export interface SyntaxNode {
  kind: string
  at: number
  length: number
  kids?: SyntaxNode[]
  join?: string
  name?: string
}

export interface Review {
  id: string
  tool: string
  command: string
  command_redacted: string
  input?: Record<string, unknown> | null
  worker_id: string | null
  task_id: string | null
  project_id: string | null
  session_id?: string | null
  context: { task_description: string | null; recent_commands: string[]; worktree_path: string | null }
  requested_at: string
  expires_at: string
  status: ReviewStatus
  reason: string
  approvable: boolean
  responded_by?: string | null
  responded_at?: string | null
  message?: string | null
  stakes?: Stakes
  headline?: string | null
  explain?: Explained | null
}

// That a call ran in the sandbox, and why; GET /v1/decisions/ID has what became of it.
export interface Contained {
  tier?: string
  why?: string
  token?: string
}

// What a contained run tried, and what was refused.
export interface ContainedRun {
  code?: number
  refused?: { kind: string; what: string }[]
  more?: number
  connections?: { host: string; port: number; sent: number; received: number }[]
}

// What was saved before the call ran, so that it can be put back.
export interface Reversible {
  entry: string
  until: string
  paths: number
  left: number // that could not be saved
}

export interface Decision {
  id: string
  timestamp: string
  tool: string
  input?: Record<string, unknown> | string // of a tool that is no shell; a text if it is too long
  command_redacted: string
  worker_id: string | null
  task_id: string | null
  project_id: string | null
  session_id?: string | null
  decision: Outcome
  behavior: Behavior
  layer: string
  cwd?: string
  rule?: string | null
  reason: string
  profile?: string
  mode?: string
  response_time_ms: number
  record?: number
  answered_by?: string | null
  answer_reason?: string | null
  too_large?: true // an event with its id alone: the rest is asked for
  contained?: Contained | null
  reversible?: Reversible | null
}

export interface Lint {
  name: string
  severity: string
  message: string
}

export interface Rule {
  id: string
  pattern: string
  type: 'allow' | 'ask' | 'deny'
  source: string
  scope: string
  file?: string | null
  line?: number
  reason?: string | null
  created_by?: string
  expires_at?: string | null
  hits?: number
  last_hit?: string | null
  lint?: Lint[]
}

export interface PastCall {
  command: string
  decision: Outcome
  covers: boolean
}

export interface TriedCall {
  command: string
  covers: boolean
  matches: boolean
  actions: number
  matched: number
  now: Behavior
}

export interface Audit {
  past: PastCall[]
  commands: TriedCall[]
}

export interface Stats {
  step: number
  t: number[]
  series: Record<Outcome, number[]>
  top_asked: { program: string; asked: number; approved: number }[]
  response: { count: number; p50: number; p95: number } // seconds
  total: number
}

export interface Session {
  id: string
  key: string // for a path
  worker_id: string | null
  project_id: string | null
  task_id: string | null
  task?: string | null
  client?: string | null
  first: string
  last: string
  counts: Partial<Record<Outcome, number>>
  last_command: string
  last_decision: Outcome
  mode: string | null
  grants: string[]
  denials_in_a_row: number
}

export interface Health {
  status: string
  generation: number
  profile: string
  pending: number
  problems: string[]
  notices: string[]
}

export interface Matrix {
  profiles: string[]
  modes: string[]
  cells: ({ behavior: Behavior; reason: string } | null)[][]
}

// What the link of a notice would answer.
export interface LinkLook {
  answer: 'approve' | 'deny'
  by: string
  review: Review
}

export interface Browser {
  id: string
  name: string | null
  role: 'operator' | 'viewer'
  from: string
  created_at: string
  expires_at: string
}

export interface Token {
  id: string
  role: 'operator' | 'viewer' | 'worker'
  name: string | null
  created_at: string
  revoked_at: string | null
  kind?: 'code' | 'browser'
}
