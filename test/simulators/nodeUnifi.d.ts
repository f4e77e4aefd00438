/** What the tests use of a package that brings no types. */
declare module 'node-unifi' {
  interface Voucher {
    readonly _id: string;
    readonly code: string;
    readonly note: string | null;
    readonly quota: number;
    readonly duration: number;
  }

  export class Controller {
    constructor(options: {
      host: string;
      port: number;
      username: string;
      password: string;
      sslverify: boolean;
      token2FA?: string;
    });
    login(): Promise<boolean>;
    logout(): Promise<unknown>;
    getSites(): Promise<{ readonly name: string; readonly desc: string }[]>;
    createVouchers(
      minutes: number,
      count: number,
      quota: number,
      note: string,
      up: number,
      down: number,
      megabytes: number,
    ): Promise<{ readonly create_time: number }[]>;
    getVouchers(createTime?: number): Promise<Voucher[]>;
    revokeVoucher(id: string): Promise<unknown[]>;
  }
}
