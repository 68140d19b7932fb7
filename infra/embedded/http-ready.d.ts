/** Whether a GET is answered with a 2xx within a second. */
export declare function answersOk(url: string): Promise<boolean>;
