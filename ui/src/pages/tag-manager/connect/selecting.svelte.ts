import type {
  AccountView,
  Chosen,
  ContainerView,
  Selection,
  WorkspaceView,
} from '$server/tagmanager/connection/schema.ts';

type List = 'account' | 'container' | 'workspace';

/** What is being chosen: each depends on the one before it, and goes when that is another. */
export class Selecting {
  #account = $state.raw<AccountView>();
  #container = $state.raw<ContainerView>();
  #workspace = $state.raw<WorkspaceView>();
  /** The list that is shown though something of it is chosen. */
  #open = $state<List>();
  #isUnderWay = $state(false);

  /** Begins in the account of what was chosen before, or even in its container. */
  constructor(before: Chosen | null, keepsContainer: boolean) {
    if (!before) return;
    const { account_id, container_id, public_id } = before;
    this.#account = { account_id, name: before.account_name };
    this.#isUnderWay = true;
    if (!keepsContainer) return;
    const name = before.container_name;
    this.#container = { account_id, container_id, public_id, name, usage_context: ['web'] };
  }

  get account() {
    return this.#account;
  }
  get container() {
    return this.#container;
  }
  get workspace() {
    return this.#workspace;
  }
  get open() {
    return this.#open;
  }
  /** Somebody has begun, so that the next list may take the focus. */
  get isUnderWay() {
    return this.#isUnderWay;
  }

  get whole(): Selection | undefined {
    if (!this.#account || !this.#container || !this.#workspace || this.#open) return undefined;
    const { account_id, container_id, workspace_id } = this.#workspace;
    return { account_id, container_id, workspace_id };
  }

  takeAccount(account: AccountView, how: 'chosen' | 'only'): void {
    if (account.account_id !== this.#account?.account_id) this.#container = undefined;
    if (!this.#container) this.#workspace = undefined;
    this.#account = account;
    this.#open = undefined;
    if (how === 'chosen') this.#isUnderWay = true;
  }

  takeContainer(container: ContainerView): void {
    if (container.container_id !== this.#container?.container_id) this.#workspace = undefined;
    this.#container = container;
    this.#open = undefined;
    this.#isUnderWay = true;
  }

  takeWorkspace(workspace: WorkspaceView): void {
    this.#workspace = workspace;
    this.#open = undefined;
  }

  reopen(list: List): void {
    this.#open = list;
    this.#isUnderWay = true;
  }
}
