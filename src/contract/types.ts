// Made by `npm run contract` from the files beside it.

export interface paths {
    readonly "/oauth2/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get an access token
         * @description Authenticate by HTTP Basic (recommended) or with `client_id` and `client_secret` in the form, not both. Without
         *     `scope` the token carries every scope that is granted to you.
         *
         *     The token is a JWT signed with RS256. To check it yourself, take the key that its `kid` names from the key set
         *     and look at `iss`, `aud` and `exp`; it also has `client_id`, `org_id`, `token_type` and `scope`. There is nothing to
         *     refresh: get a new one a little before the old one expires. 20 requests a minute for each client, and for each
         *     calling address.
         */
        readonly post: operations["issueToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/jwks.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the keys that sign tokens
         * @description While keys are rotated both are here. Pick the one whose `kid` the token names.
         */
        readonly get: operations["readKeySet"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/oauth2/jwks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the keys that sign tokens, at another path
         * @description The same set as at `/.well-known/jwks.json`.
         */
        readonly get: operations["readKeySetAtOAuthPath"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/oauth-authorization-server": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the metadata of the authorization server
         * @description RFC 8414, for OAuth libraries that configure themselves.
         */
        readonly get: operations["readAuthorizationServer"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/me": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read whom the token stands for
         * @description Needs a valid token of a partner and no scope. A good first call, and a good check of new credentials.
         */
        readonly get: operations["readClient"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/cooperatives": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List or search the catalogue
         * @description Only published cooperatives are here. Filters are combined with AND, and an empty one does not filter.
         *
         *     With `near_lat` and `near_lng` the list is those within `radius_km`, nearest first, each with its `distance_km`. Such
         *     a search takes no other filter and no `sort`: together they are 422, and so are one coordinate without the other and
         *     a `radius_km` without both.
         *
         *     The order is the same each time, equal ones by id; but the catalogue may change between two pages.
         */
        readonly get: operations["listCooperatives"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/cooperatives/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description Id of the cooperative.
                 * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
                 */
                readonly id: components["parameters"]["CooperativeId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one cooperative
         * @description Its projects come counted by type, or one by one with `expand=projects`. Needs both scopes either way.
         */
        readonly get: operations["readCooperative"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Find an investor by your own reference */
        readonly get: operations["findInvestor"];
        readonly put?: never;
        /**
         * Register a customer as an investor
         * @description Once for each customer, under your own reference. Sent again with the same details it answers 200 with the investor
         *     that is there, so a retry is safe; with another e-mail or another profile it is 409. The comparison is with what is
         *     stored now, and leaves out what you leave out.
         *
         *     With a `profile` the investor is completed in the same call. Give the e-mail at the top or inside the profile, not in
         *     both places.
         */
        readonly post: operations["provisionInvestor"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read an investor
         * @description `missing_profile_fields` says what is outstanding before the first order.
         */
        readonly get: operations["readInvestor"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/profile": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Replace the whole profile
         * @description The body is the profile itself. What it leaves out is unset afterwards, whatever was stored before; only the e-mail
         *     stays when it is not sent.
         *
         *     A consent that is sent as not given is revoked, and so is a `representation_authorization` that is left out; the
         *     instant of the earlier one is erased for good. A section (address, bank account, company) is sent whole or not at all.
         *
         *     From the IBAN we derive BIC and institution. Where that is not possible at the moment the write succeeds all the same
         *     and `missing_profile_fields` lists them until you send them.
         */
        readonly put: operations["replaceProfile"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/share-purchases": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        /**
         * List an investor's orders
         * @description Newest first. The place to compare with the webhooks you have had.
         */
        readonly get: operations["listSharePurchases"];
        readonly put?: never;
        /**
         * Place an order for shares
         * @description The investor's profile has to be complete. Price and fee are those of the cooperative now, and stay as they are in
         *     the answer. The entry fee is due once for each investor and cooperative: it is zero when shares are held or pending.
         *     The order is `submitted`; everything after that takes days.
         *
         *     Send an `Idempotency-Key`. The same request with the same key answers the order that is there, as it stands now,
         *     with `Idempotent-Replayed: true`; another request with that key is 409, and so is one for which the applicant_type now
         *     follows from another profile. A key is remembered for 24 hours once an order
         *     was placed with it; sent again after that, it places a new order.
         */
        readonly post: operations["placeSharePurchase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/share-purchases/{purchaseId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
                /**
                 * @description The share_purchase_id that placing the order answered.
                 * @example ba96d577-4678-5397-86e0-ed0fed1c7441
                 */
                readonly purchaseId: components["parameters"]["PurchaseId"];
            };
            readonly cookie?: never;
        };
        /** Read an order */
        readonly get: operations["readSharePurchase"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/share-purchases/{purchaseId}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
                /**
                 * @description The share_purchase_id that placing the order answered.
                 * @example ba96d577-4678-5397-86e0-ed0fed1c7441
                 */
                readonly purchaseId: components["parameters"]["PurchaseId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel an order
         * @description While it is `submitted`. Once it is approved, payment is being collected and only we can stop it.
         */
        readonly post: operations["cancelSharePurchase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/holdings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        /**
         * List what an investor holds
         * @description One for each cooperative with settled or pending shares. Join `cooperative_id` with the catalogue for its name.
         */
        readonly get: operations["listHoldings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/images/cooperatives/{id}/{kind}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description Id of the cooperative.
                 * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
                 */
                readonly id: components["parameters"]["CooperativeId"];
                /**
                 * @description Which of the cooperative's pictures.
                 * @example hero
                 */
                readonly kind: "hero" | "card" | "logo";
            };
            readonly cookie?: never;
        };
        /**
         * Read a picture of a cooperative
         * @description The addresses are in the catalogue (`hero_image_url` and its like); do not build them yourself.
         */
        readonly get: operations["readCooperativeImage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/images/projects/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description Id of the project.
                 * @example 024e36ad-56d3-5194-88a4-da9bd70a4b9a
                 */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * Read the picture of a project
         * @description Its address is the `image_url` of the project.
         */
        readonly get: operations["readProjectImage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the latest contract as a page
         * @description For a browser. It has all in it that it shows, and asks for nothing else, here or elsewhere.
         */
        readonly get: operations["readReferencePage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the latest contract as YAML */
        readonly get: operations["readLatestContractAsYaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the latest contract as JSON */
        readonly get: operations["readLatestContractAsJson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi/manifest.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read which versions of the contract there are */
        readonly get: operations["readContractManifest"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi/{version}.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description A version that the manifest has.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one version of the contract as YAML
         * @description These bytes never change, unless the manifest calls the version a draft.
         */
        readonly get: operations["readContractAsYaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi/{version}.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description A version that the manifest has.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one version of the contract as JSON
         * @description These bytes never change, unless the manifest calls the version a draft.
         */
        readonly get: operations["readContractAsJson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi/{version}.postman_collection.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description A version that the manifest has.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one version of the contract as a Postman collection
         * @description Import it, set `baseUrl`, `clientId` and `clientSecret`, and run it from top to bottom.
         */
        readonly get: operations["readContractAsCollection"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/livez": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** See that the process is alive */
        readonly get: operations["readLiveness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/readyz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** See whether the service can take writes */
        readonly get: operations["readReadiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly "share_purchase.submitted": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order was accepted
         * @description After `POST …/share-purchases`. The terms are frozen.
         */
        readonly post: operations["onSharePurchaseSubmitted"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "share_purchase.approved": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order passed review
         * @description Payment is being collected.
         */
        readonly post: operations["onSharePurchaseApproved"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "share_purchase.settled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order settled
         * @description The shares are in the investor's holdings.
         */
        readonly post: operations["onSharePurchaseSettled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "share_purchase.rejected": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order was refused
         * @description By us, at any time before it settles. A `reason`, when there is one, is for people.
         */
        readonly post: operations["onSharePurchaseRejected"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "share_purchase.cancelled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order was withdrawn
         * @description By you or by us.
         */
        readonly post: operations["onSharePurchaseCancelled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Format: uuid
         * @description A UUID in lower case.
         */
        readonly Id: string;
        /** @description An amount with two decimals, as text. */
        readonly Money: string;
        /** @description ISO 4217. `EUR` today. */
        readonly Currency: string;
        /**
         * Format: date-time
         * @description ISO 8601 in UTC with milliseconds.
         */
        readonly Timestamp: string;
        /**
         * Format: date-time
         * @description ISO 8601 with an offset, which is not optional; a day that exists.
         */
        readonly RequestTimestamp: string;
        /** @description Not blank, no control characters. */
        readonly Text: string;
        readonly OptionalText: components["schemas"]["Text"] | null;
        readonly Scope: string;
        readonly TokenRequest: {
            /** @constant */
            readonly grant_type: "client_credentials";
            /** @description Separated by spaces; each has to be granted to the client. Left out, the token carries all of them. */
            readonly scope?: string;
            /** @description When there is no Authorization header. */
            readonly client_id?: string;
            /** @description When there is no Authorization header. */
            readonly client_secret?: string;
        };
        readonly Token: {
            /** @description A JWT; treat it as opaque unless you check it. */
            readonly access_token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /**
             * @description Seconds.
             * @constant
             */
            readonly expires_in: 900;
            /** @description The scopes that the token carries, separated by spaces. */
            readonly scope: string;
        };
        readonly OAuthError: {
            readonly error: string;
            /** @description For people; may change. */
            readonly error_description: string;
        };
        readonly KeySet: {
            readonly keys: readonly {
                /** @constant */
                readonly kty: "RSA";
                readonly n: string;
                readonly e: string;
                /** @description The `kid` in the header of the tokens that it signed. */
                readonly kid: string;
                /** @constant */
                readonly alg: "RS256";
                /** @constant */
                readonly use: "sig";
            }[];
        };
        readonly AuthorizationServer: {
            /**
             * Format: uri
             * @description The `iss` of tokens.
             */
            readonly issuer: string;
            /** Format: uri */
            readonly token_endpoint: string;
            /** Format: uri */
            readonly jwks_uri: string;
            readonly scopes_supported: readonly components["schemas"]["Scope"][];
            /** @description None: there are no end-user logins. */
            readonly response_types_supported: readonly string[];
            readonly grant_types_supported: readonly string[];
            readonly token_endpoint_auth_methods_supported: readonly string[];
        };
        readonly ClientInfo: {
            readonly client_id: components["schemas"]["Id"];
            readonly organization_id: components["schemas"]["Id"];
            /** @description Of this token. */
            readonly token_scopes: readonly components["schemas"]["Scope"][];
            /** @description All that the client may ask for. */
            readonly granted_scopes: readonly components["schemas"]["Scope"][];
        };
        /** @enum {string} */
        readonly EnergyCategory: "solar" | "wind" | "heat" | "chp" | "hydro" | "biomass" | "other";
        /** @enum {string} */
        readonly DividendType: "fixed" | "variable" | "none";
        /** @enum {string} */
        readonly Affiliation: "affiliated" | "independent";
        readonly Coordinates: {
            readonly latitude: number;
            readonly longitude: number;
        };
        readonly CooperativeSummary: {
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            readonly description: string | null;
            readonly city: string | null;
            readonly postal_code: string | null;
            readonly website_url: string | null;
            readonly energy_category: components["schemas"]["EnergyCategory"];
            /** @description Free text beside the category. */
            readonly energy_type: string | null;
            readonly share_price: components["schemas"]["Money"];
            readonly share_price_currency: components["schemas"]["Currency"];
            readonly share_value: components["schemas"]["Money"];
            readonly share_value_currency: components["schemas"]["Currency"];
            readonly entry_fee: components["schemas"]["Money"];
            readonly entry_fee_currency: components["schemas"]["Currency"];
            /** @description What an investor has to reach with held, pending and ordered shares together. */
            readonly minimum_shares: number;
            readonly min_investment_amount: components["schemas"]["Money"];
            readonly min_investment_amount_currency: components["schemas"]["Currency"];
            readonly dividend_type: components["schemas"]["DividendType"];
            readonly dividend_rate_percent: number | null;
            readonly bafa_funded: boolean;
            readonly affiliation: components["schemas"]["Affiliation"];
            /** Format: uri */
            readonly hero_image_url: string | null;
            /** Format: uri */
            readonly card_image_url: string | null;
            /** Format: uri */
            readonly logo_image_url: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
            /** @description There only with `include_coordinates=true`. */
            readonly coordinates?: components["schemas"]["Coordinates"] | null;
            /** @description There only in a search by place. */
            readonly distance_km?: number;
        };
        readonly CooperativeDetail: {
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            readonly description: string | null;
            readonly city: string | null;
            readonly postal_code: string | null;
            readonly website_url: string | null;
            readonly energy_category: components["schemas"]["EnergyCategory"];
            /** @description Free text beside the category. */
            readonly energy_type: string | null;
            readonly share_price: components["schemas"]["Money"];
            readonly share_price_currency: components["schemas"]["Currency"];
            readonly share_value: components["schemas"]["Money"];
            readonly share_value_currency: components["schemas"]["Currency"];
            readonly entry_fee: components["schemas"]["Money"];
            readonly entry_fee_currency: components["schemas"]["Currency"];
            /** @description What an investor has to reach with held, pending and ordered shares together. */
            readonly minimum_shares: number;
            readonly min_investment_amount: components["schemas"]["Money"];
            readonly min_investment_amount_currency: components["schemas"]["Currency"];
            readonly dividend_type: components["schemas"]["DividendType"];
            readonly dividend_rate_percent: number | null;
            readonly bafa_funded: boolean;
            readonly affiliation: components["schemas"]["Affiliation"];
            /** Format: uri */
            readonly hero_image_url: string | null;
            /** Format: uri */
            readonly card_image_url: string | null;
            /** Format: uri */
            readonly logo_image_url: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
            /** @description Where it is. */
            readonly coordinates: components["schemas"]["Coordinates"] | null;
            /** @description Null with `expand=projects`. */
            readonly projects_by_type: readonly components["schemas"]["ProjectsOfType"][] | null;
            /** @description Null without `expand=projects`. */
            readonly projects: readonly components["schemas"]["Project"][] | null;
        };
        readonly ProjectsOfType: {
            readonly type: string;
            readonly count: number;
            /** @description Sum of those that are known. */
            readonly capacity_kw: number | null;
        };
        readonly Project: {
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            /** @description Free text. */
            readonly type: string;
            readonly energy_category: components["schemas"]["EnergyCategory"];
            readonly city: string | null;
            readonly capacity_kw: number | null;
            readonly annual_yield_mwh: number | null;
            /** @description A year. */
            readonly co2_savings_tons: number | null;
            /** Format: date */
            readonly commissioned_on: string | null;
            /** Format: uri */
            readonly image_url: string | null;
        };
        readonly CooperativePage: {
            readonly items: readonly components["schemas"]["CooperativeSummary"][];
            readonly page: number;
            /** @description What you asked for, brought into the range. */
            readonly size: number;
            /** @description On all pages. */
            readonly total_items: number;
            readonly total_pages: number;
            readonly has_next: boolean;
            readonly has_previous: boolean;
            /** @description How it is sorted; `distance_asc` in a search by place. */
            readonly sort: string;
        };
        readonly SharePurchasePage: {
            readonly items: readonly components["schemas"]["SharePurchase"][];
            readonly page: number;
            /** @description What you asked for, brought into the range. */
            readonly size: number;
            /** @description On all pages. */
            readonly total_items: number;
            readonly total_pages: number;
            readonly has_next: boolean;
            readonly has_previous: boolean;
        };
        readonly HoldingPage: {
            readonly items: readonly components["schemas"]["Holding"][];
            readonly page: number;
            /** @description What you asked for, brought into the range. */
            readonly size: number;
            /** @description On all pages. */
            readonly total_items: number;
            readonly total_pages: number;
            readonly has_next: boolean;
            readonly has_previous: boolean;
        };
        readonly ProvisionRequest: {
            /** @description Your own reference for the customer, unique among your investors. */
            readonly partner_customer_ref: string;
            readonly email?: components["schemas"]["OptionalEmail"];
            /** @description Completes the investor in the same call. */
            readonly profile?: components["schemas"]["ProfileRequest"] | null;
        };
        /**
         * Format: idn-email
         * @description The investor's e-mail address.
         */
        readonly OptionalEmail: string | null;
        readonly ProfileRequest: {
            readonly first_name?: components["schemas"]["OptionalText"];
            readonly last_name?: components["schemas"]["OptionalText"];
            /**
             * Format: date
             * @description A day that exists, not in the future and at most 120 years ago.
             */
            readonly birth_date?: string | null;
            readonly tax_id?: components["schemas"]["OptionalText"];
            readonly phone?: components["schemas"]["OptionalText"];
            readonly email?: components["schemas"]["OptionalEmail"];
            readonly address?: components["schemas"]["AddressRequest"] | null;
            readonly bank_account?: components["schemas"]["BankAccountRequest"] | null;
            /** @description Only when the investor represents a company. */
            readonly company?: components["schemas"]["CompanyRequest"] | null;
            readonly consents: components["schemas"]["ConsentsRequest"];
        };
        readonly AddressRequest: {
            readonly street: components["schemas"]["Text"];
            readonly house_number: components["schemas"]["Text"];
            readonly postal_code: components["schemas"]["Text"];
            readonly city: components["schemas"]["Text"];
        };
        readonly BankAccountRequest: {
            /** @description In either case, with or without spaces. Its checksum has to be right. */
            readonly iban: string;
            /** @description 8 or 11 characters. Derived from the IBAN when left out. */
            readonly bic?: components["schemas"]["Text"] | null;
            /** @description Derived from the IBAN when left out. */
            readonly institution?: components["schemas"]["Text"] | null;
            /** @description The company or the name of the investor when left out. */
            readonly account_holder?: components["schemas"]["Text"] | null;
        };
        readonly CompanyRequest: {
            readonly name: components["schemas"]["Text"];
            readonly legal_form: components["schemas"]["Text"];
            readonly tax_id: components["schemas"]["Text"];
        };
        /** @description Whole on every write. All three have to be given before an order can be placed. */
        readonly ConsentsRequest: {
            readonly terms: components["schemas"]["ConsentRequest"];
            readonly privacy: components["schemas"]["ConsentRequest"];
            readonly data_sharing: components["schemas"]["ConsentRequest"];
            /** @description That the investor may act for the company. Given only together with a company. */
            readonly representation_authorization?: components["schemas"]["ConsentRequest"] | null;
        };
        readonly ConsentRequest: {
            readonly given: boolean;
            /** @description When, not in the future. Left out, it is the moment we receive it. Not allowed when `given` is false. */
            readonly given_at?: components["schemas"]["RequestTimestamp"] | null;
        };
        readonly Investor: {
            readonly investor_id: components["schemas"]["Id"];
            readonly partner_customer_ref: string;
            /** Format: idn-email */
            readonly email: string | null;
            /** @description Null until one was sent. */
            readonly profile: components["schemas"]["ProfileSections"] | null;
            /** @description Whether orders can be placed: nothing is missing. */
            readonly is_profile_complete: boolean;
            readonly missing_profile_fields: components["schemas"]["MissingProfileFields"];
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
        };
        /** @description Paths within the profile that are outstanding, such as `address.street`, `bank_account.bic` or `consents.terms`; and `email`. */
        readonly MissingProfileFields: readonly string[];
        readonly ProfileSections: {
            readonly first_name: string | null;
            readonly last_name: string | null;
            /** Format: date */
            readonly birth_date: string | null;
            readonly tax_id: string | null;
            readonly phone: string | null;
            readonly address: components["schemas"]["Address"] | null;
            readonly bank_account: components["schemas"]["BankAccount"] | null;
            readonly company: components["schemas"]["Company"] | null;
            readonly consents: components["schemas"]["Consents"];
        };
        readonly Profile: {
            readonly investor_id: components["schemas"]["Id"];
            /** Format: idn-email */
            readonly email: string | null;
            readonly first_name: string | null;
            readonly last_name: string | null;
            /** Format: date */
            readonly birth_date: string | null;
            readonly tax_id: string | null;
            readonly phone: string | null;
            readonly address: components["schemas"]["Address"] | null;
            readonly bank_account: components["schemas"]["BankAccount"] | null;
            readonly company: components["schemas"]["Company"] | null;
            readonly consents: components["schemas"]["Consents"];
            /** @description Whether orders can be placed: nothing is missing. */
            readonly is_profile_complete: boolean;
            readonly missing_profile_fields: components["schemas"]["MissingProfileFields"];
        };
        readonly Address: {
            readonly street: string;
            readonly house_number: string;
            readonly postal_code: string;
            readonly city: string;
        };
        readonly BankAccount: {
            readonly iban_masked: components["schemas"]["MaskedIban"];
            readonly bic: string | null;
            readonly institution: string | null;
            readonly account_holder: string | null;
        };
        /** @description First and last four characters. The whole IBAN is never returned. */
        readonly MaskedIban: string;
        readonly Company: {
            readonly name: string;
            readonly legal_form: string;
            readonly tax_id: string;
        };
        readonly Consents: {
            readonly terms: components["schemas"]["Consent"];
            readonly privacy: components["schemas"]["Consent"];
            readonly data_sharing: components["schemas"]["Consent"];
            readonly representation_authorization: components["schemas"]["Consent"];
        };
        readonly Consent: {
            readonly given: boolean;
            /** @description Null exactly when it is not given. */
            readonly given_at: components["schemas"]["Timestamp"] | null;
        };
        /** @enum {string} */
        readonly ApplicantType: "private" | "company";
        /** @description No field sets a price. Terms and privacy consents are those of the profile. */
        readonly SharePurchaseRequest: {
            /**
             * Format: uuid
             * @description A UUID (RFC 9562), in either case.
             */
            readonly cooperative_id: string;
            /** @description At most 10 000, unless you were told another bound. */
            readonly share_count: number;
            /** @description Lower case. Follows from the profile when left out. `company` needs a company in the profile. */
            readonly applicant_type?: components["schemas"]["ApplicantType"] | null;
            readonly sepa_mandate: components["schemas"]["SepaMandateRequest"];
            /** @description When the investor agreed to the cooperative's statute; not in the future. */
            readonly statute_consent_given_at: components["schemas"]["RequestTimestamp"];
        };
        readonly SepaMandateRequest: {
            /** @description When the investor signed; not in the future. */
            readonly signed_at: components["schemas"]["RequestTimestamp"];
            /** @description The account of the profile when left out. */
            readonly debtor_iban?: components["schemas"]["Text"] | null;
            /** @description Up to 35 characters that SEPA allows. Issued by us when left out. */
            readonly reference?: components["schemas"]["Text"] | null;
        };
        /**
         * @description Final are settled, rejected and cancelled. A draft is submitted in the step that makes it.
         * @enum {string}
         */
        readonly SharePurchaseStatus: "draft" | "submitted" | "approved" | "settled" | "rejected" | "cancelled";
        readonly SharePurchase: {
            readonly share_purchase_id: components["schemas"]["Id"];
            readonly investor_id: components["schemas"]["Id"];
            readonly cooperative_id: components["schemas"]["Id"];
            readonly status: components["schemas"]["SharePurchaseStatus"];
            readonly applicant_type: components["schemas"]["ApplicantType"];
            readonly share_count: number;
            readonly price_per_share: components["schemas"]["Money"];
            readonly price_per_share_currency: components["schemas"]["Currency"];
            readonly entry_fee: components["schemas"]["Money"];
            readonly entry_fee_currency: components["schemas"]["Currency"];
            /** @description price_per_share × share_count + entry_fee, frozen at submission as they are. */
            readonly total: components["schemas"]["Money"];
            readonly total_currency: components["schemas"]["Currency"];
            readonly sepa_mandate: components["schemas"]["SepaMandate"];
            readonly consents: components["schemas"]["SharePurchaseConsents"];
            /** @description For people; recorded with some rejections. */
            readonly reason: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
        };
        readonly SepaMandate: {
            readonly reference: string;
            readonly signed_at: components["schemas"]["Timestamp"];
            readonly debtor_iban_masked: components["schemas"]["MaskedIban"];
        };
        /** @description As they were when the order was placed. */
        readonly SharePurchaseConsents: {
            readonly terms: components["schemas"]["Consent"];
            readonly privacy: components["schemas"]["Consent"];
            readonly statute: components["schemas"]["Consent"];
        };
        readonly NoFields: Record<string, never>;
        readonly Holding: {
            readonly id: components["schemas"]["Id"];
            readonly cooperative_id: components["schemas"]["Id"];
            readonly investor_id: components["schemas"]["Id"];
            /** @description Settled. */
            readonly shares: number;
            /** @description In orders that are placed and not settled yet. */
            readonly pending_shares: number;
            /** @description Null until the first order settles. */
            readonly first_acquired_at: components["schemas"]["Timestamp"] | null;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
        };
        readonly Liveness: {
            /** @constant */
            readonly status: "alive";
        };
        readonly Readiness: {
            /** @constant */
            readonly status: "ready";
        };
        readonly ContractManifest: {
            /** @description The newest version that is no draft, which `/openapi.yaml`, `/openapi.json` and `/docs` show. */
            readonly latest: string;
            /** @description Newest first. */
            readonly versions: readonly {
                readonly version: string;
                /** Format: date */
                readonly date: string;
                /** @description There while the version may still change. */
                readonly draft?: boolean;
                readonly changes: readonly string[];
                readonly files: readonly {
                    /** @description Beside this manifest. */
                    readonly name: string;
                    readonly sha256: string;
                }[];
            }[];
        };
        /** @description Stable. Branch on it, and take one that you do not know by its status. Those of this version are in the table of errors. */
        readonly ProblemCode: string;
        /** @description RFC 9457. */
        readonly Problem: {
            /**
             * Format: uri
             * @description The address of your service, `/errors/` and the code in lower-case kebab-case.
             */
            readonly type: string;
            /** @description For people; may change. */
            readonly title: string;
            readonly status: number;
            /** @description For people: what was wrong with this request. */
            readonly detail: string;
            /** @description The path of the request, as it came. */
            readonly instance: string;
            readonly code: components["schemas"]["ProblemCode"];
            /** @description The X-Request-Id of the answer. */
            readonly trace_id: string;
        };
        readonly FieldProblem: {
            /**
             * Format: uri
             * @description The address of your service, `/errors/` and the code in lower-case kebab-case.
             */
            readonly type: string;
            /** @description For people; may change. */
            readonly title: string;
            /** @constant */
            readonly status: 422;
            /** @description For people: what was wrong with this request. */
            readonly detail: string;
            /** @description The path of the request, as it came. */
            readonly instance: string;
            readonly code: components["schemas"]["ProblemCode"];
            /** @description The X-Request-Id of the answer. */
            readonly trace_id: string;
            /** @description What is wrong, by the path that you sent; each the end of a sentence about it. */
            readonly errors?: {
                readonly [key: string]: string;
            };
        };
        readonly InsufficientScopeProblem: {
            /** Format: uri */
            readonly type: string;
            readonly title: string;
            /** @constant */
            readonly status: 403;
            readonly detail: string;
            /** @description The path of the request, as it came. */
            readonly instance: string;
            /** @constant */
            readonly code: "INSUFFICIENT_SCOPE";
            /** @description The X-Request-Id of the answer. */
            readonly trace_id: string;
            /** @description All scopes of the endpoint. */
            readonly required_scopes: readonly components["schemas"]["Scope"][];
        };
        /** @description A fault of ours. It has no code, its status says what it is. */
        readonly Fault: {
            /** Format: uri */
            readonly type: string;
            readonly title: string;
            /** @constant */
            readonly status: 500;
            readonly detail: string;
            /** @description The path of the request, as it came. */
            readonly instance: string;
            /** @description The X-Request-Id of the answer. Quote it to support. */
            readonly trace_id: string;
        };
        /** @description There will be more. Those of this version are the webhooks here. */
        readonly EventType: string;
        readonly SharePurchaseSubmitted: {
            /** @description Of this transition of this order; the same however often it comes. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.submitted";
            /** @description When it happened, not when it was sent. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                readonly share_count: number;
                /** @constant */
                readonly status: "submitted";
                /** @constant */
                readonly terminal: false;
                readonly total: components["schemas"]["Money"];
                readonly total_currency: components["schemas"]["Currency"];
            };
        };
        readonly SharePurchaseApproved: {
            /** @description Of this transition of this order; the same however often it comes. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.approved";
            /** @description When it happened, not when it was sent. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                /** @constant */
                readonly status: "approved";
                /** @constant */
                readonly terminal: false;
            };
        };
        readonly SharePurchaseSettled: {
            /** @description Of this transition of this order; the same however often it comes. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.settled";
            /** @description When it happened, not when it was sent. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                readonly share_count: number;
                /** @constant */
                readonly status: "settled";
                /** @constant */
                readonly terminal: true;
            };
        };
        readonly SharePurchaseRejected: {
            /** @description Of this transition of this order; the same however often it comes. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.rejected";
            /** @description When it happened, not when it was sent. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                /** @constant */
                readonly status: "rejected";
                /** @constant */
                readonly terminal: true;
                /** @description For people; absent unless recorded. */
                readonly reason?: string;
            };
        };
        readonly SharePurchaseCancelled: {
            /** @description Of this transition of this order; the same however often it comes. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.cancelled";
            /** @description When it happened, not when it was sent. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                /** @constant */
                readonly status: "cancelled";
                /** @constant */
                readonly terminal: true;
            };
        };
    };
    responses: {
        /** @description The public keys. */
        readonly KeySet: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["PublicFiveMinutes"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["KeySet"];
            };
        };
        /** @description The picture. */
        readonly Image: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["OneHour"];
                readonly "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "image/svg+xml": unknown;
                readonly "image/png": unknown;
                readonly "image/jpeg": unknown;
                readonly "image/webp": unknown;
            };
        };
        /** @description You have it already. */
        readonly ImageUnchanged: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["OneHour"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description You have it already. */
        readonly CatalogueUnchanged: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["PrivateFiveMinutes"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The contract. */
        readonly ContractAsYaml: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["PublicContract"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/yaml": string;
            };
        };
        /** @description The contract. */
        readonly ContractAsJson: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["PublicContract"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": {
                    readonly openapi: string;
                    readonly info: Record<string, never>;
                    readonly paths: Record<string, never>;
                    readonly webhooks: Record<string, never>;
                    readonly components: Record<string, never>;
                };
            };
        };
        /** @description You have it already. */
        readonly ContractUnchanged: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["PublicContract"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description You have it. Nobody looks at the body. */
        readonly Acknowledged: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A query parameter cannot be understood, is missing, or is there twice. */
        readonly InvalidParameter: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 400;
                    readonly code?: string;
                };
            };
        };
        /** @description The body is not well-formed JSON in UTF-8, has a field that is not known here, or is nested more than 64 levels deep. */
        readonly MalformedRequestBody: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 400;
                    readonly code?: string;
                };
            };
        };
        /** @description There is no token, or it is expired, revoked or not ours. */
        readonly Unauthenticated: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "WWW-Authenticate": components["headers"]["BearerChallenge"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 401;
                    readonly code?: string;
                };
            };
        };
        /** @description The token lacks a scope, which can be granted; or the client is no partner, which no scope changes. */
        readonly Forbidden: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["InsufficientScopeProblem"] | (components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 403;
                    readonly code?: string;
                });
            };
        };
        /** @description The client is no partner. No scope changes that. */
        readonly NotAPartner: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 403;
                    readonly code?: string;
                };
            };
        };
        /** @description None of your investors has this id or reference. */
        readonly InvestorNotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 404;
                    readonly code?: string;
                };
            };
        };
        /** @description This investor has no order with this id, or is not yours. */
        readonly SharePurchaseNotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 404;
                    readonly code?: string;
                };
            };
        };
        /** @description There is nothing at this path. Below `/v1` it comes with the RateLimit headers of all answers there. */
        readonly NotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 404;
                    readonly code?: string;
                };
            };
        };
        /** @description The answer to another method than those of this path. */
        readonly MethodNotAllowed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly Allow: components["headers"]["Allow"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 405;
                    readonly code?: string;
                };
            };
        };
        /** @description The answer to another method than those of this path. */
        readonly PublicMethodNotAllowed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly Allow: components["headers"]["Allow"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 405;
                    readonly code?: string;
                };
            };
        };
        /** @description The body has more than 64 KiB. */
        readonly PayloadTooLarge: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 413;
                    readonly code?: string;
                };
            };
        };
        /** @description The body does not come as plain application/json; it has another Content-Type, or a Content-Encoding. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 415;
                    readonly code?: string;
                };
            };
        };
        /** @description Fields are not valid. `errors` names them all, whether their form, a section or their meaning is wrong. */
        readonly InvalidProfile: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["FieldProblem"] & {
                    readonly code?: string;
                };
            };
        };
        /** @description Too many requests. This one cost nothing. */
        readonly RateLimited: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 429;
                    readonly code?: string;
                };
            };
        };
        /** @description Something went wrong on our side. */
        readonly InternalServerError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Fault"];
            };
        };
        /** @description The service cannot do this at the moment. */
        readonly ServiceUnavailable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 503;
                    readonly code?: string;
                };
            };
        };
        /** @description Something went wrong on our side. */
        readonly PublicInternalServerError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Fault"];
            };
        };
        /** @description The service cannot do this at the moment. */
        readonly PublicServiceUnavailable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status?: 503;
                    readonly code?: string;
                };
            };
        };
    };
    parameters: {
        /**
         * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
         * @example my-request-1
         */
        readonly RequestId: string;
        /**
         * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
         * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
         */
        readonly IfNoneMatch: string;
        /**
         * @description From 1. Below that it is taken as 1; past the end the list is empty. What is no whole number is 400.
         * @example 1
         */
        readonly Page: number;
        /**
         * @description From 1 to 100. Beyond that it is taken as the nearest of them. What is no whole number is 400.
         * @example 20
         */
        readonly Size: number;
        /**
         * @description Id of the cooperative.
         * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
         */
        readonly CooperativeId: string;
        /**
         * @description The investor_id that registration answered.
         * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
         */
        readonly InvestorId: string;
        /**
         * @description The share_purchase_id that placing the order answered.
         * @example ba96d577-4678-5397-86e0-ed0fed1c7441
         */
        readonly PurchaseId: string;
        /**
         * @description A version that the manifest has.
         * @example 1.6.0
         */
        readonly Version: string;
        /**
         * @description When it was signed, and the HMAC-SHA256 of `<t>.<raw body>` under your signing secret in hex. Should there be a newer scheme one day, both stand here for a while, each under its own name: look for `v1` and pass over the others.
         * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
         */
        readonly WebhookSignature: string;
        /**
         * @description Of this attempt; each retry has another one. Use the `id` of the body to see what you had already.
         * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
         */
        readonly WebhookId: components["schemas"]["Id"];
        /**
         * @description The `type` of the body.
         * @example share_purchase.submitted
         */
        readonly WebhookEvent: components["schemas"]["EventType"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The one you sent, or one of ours. Quote it to support.
         * @example my-request-1
         */
        readonly RequestId: string;
        /**
         * @description Requests a minute that a budget has, yours or that of the address; `Limits` says which.
         * @example 600
         */
        readonly RateLimitLimit: number;
        /**
         * @description Requests that are left now.
         * @example 599
         */
        readonly RateLimitRemaining: number;
        /**
         * @description Seconds until the budget is full again. The next request may be possible much sooner.
         * @example 1
         */
        readonly RateLimitReset: number;
        /**
         * @description Seconds until the same request can be sent again.
         * @example 1
         */
        readonly RetryAfter: number;
        /**
         * @description Strong; it changes whenever a byte of the answer does.
         * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
         */
        readonly ETag: string;
        /**
         * @description The methods that this path takes.
         * @example GET, HEAD
         */
        readonly Allow: string;
        /**
         * @description Nobody may keep this answer.
         * @example no-store
         */
        readonly NotStored: "no-store";
        /**
         * @description RFC 6749 5.1, for caches of HTTP/1.0.
         * @example no-cache
         */
        readonly NoCache: "no-cache";
        /**
         * @description What the body may do when a browser shows it by itself.
         * @example default-src 'none'; style-src 'unsafe-inline'; sandbox
         */
        readonly ContentSecurityPolicy: string;
        /**
         * @description You may keep it for five minutes.
         * @example private, max-age=300
         */
        readonly PrivateFiveMinutes: "private, max-age=300";
        /**
         * @description Anybody may keep it for five minutes.
         * @example public, max-age=300
         */
        readonly PublicFiveMinutes: "public, max-age=300";
        /**
         * @description Compressed and not, the answer has other bytes, and another `ETag`.
         * @example accept-encoding
         */
        readonly VaryByEncoding: "accept-encoding";
        /**
         * @description It may be kept for an hour.
         * @example max-age=3600
         */
        readonly OneHour: "max-age=3600";
        /**
         * @description What is pinned to a version may be kept for as long as you like, the rest, and a draft, for five minutes.
         * @example public, max-age=300
         */
        readonly PublicContract: string;
        /**
         * @description RFC 6750. It names the error when a token was sent.
         * @example Bearer error="invalid_token"
         */
        readonly BearerChallenge: string;
        /**
         * @description RFC 6750, with the scopes that are needed. It is there with `INSUFFICIENT_SCOPE`, always, and with no other code.
         * @example Bearer error="insufficient_scope", scope="investors:write"
         */
        readonly ScopeChallenge: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly issueToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        readonly responses: {
            /** @description The token, and the scopes that it carries. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The request is not one for a token, or asks for scopes that are not granted. No token is issued. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthError"] & {
                        readonly error?: string;
                    };
                };
            };
            /** @description The client is unknown or disabled, or the secret is wrong. */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    /** @description Asks for HTTP Basic, when the credentials came in the Authorization header. */
                    readonly "WWW-Authenticate"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthError"] & {
                        readonly error?: string;
                    };
                };
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            /** @description Too many token requests, by this client or from this address. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthError"] & {
                        readonly error?: string;
                    };
                };
            };
            /** @description Something went wrong on our side. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthError"] & {
                        readonly error?: string;
                    };
                };
            };
            /** @description The service cannot issue tokens at the moment. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthError"] & {
                        readonly error?: string;
                    };
                };
            };
        };
    };
    readonly readKeySet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["KeySet"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly readKeySetAtOAuthPath: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["KeySet"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly readAuthorizationServer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Where tokens and keys are, and what is supported. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["PublicFiveMinutes"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuthorizationServer"];
                };
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readClient: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Client, organisation and scopes. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ClientInfo"];
                };
            };
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["NotAPartner"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listCooperatives: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description From 1. Below that it is taken as 1; past the end the list is empty. What is no whole number is 400.
                 * @example 1
                 */
                readonly page?: components["parameters"]["Page"];
                /**
                 * @description From 1 to 100. Beyond that it is taken as the nearest of them. What is no whole number is 400.
                 * @example 20
                 */
                readonly size?: components["parameters"]["Size"];
                /**
                 * @description Names without regard to case and accents. An unknown value is 400.
                 * @example created_at_desc
                 */
                readonly sort?: "created_at_desc" | "created_at_asc" | "name_asc" | "name_desc" | "share_price_asc" | "share_price_desc";
                /**
                 * @description Words, each of which occurs in name, city or description, without regard to case and accents.
                 * @example allgäu
                 */
                readonly q?: string;
                /**
                 * @description The whole name of the city, without regard to case.
                 * @example Kempten (Allgäu)
                 */
                readonly city?: string;
                /**
                 * @description Whether the cooperative is funded by BAFA.
                 * @example false
                 */
                readonly bafa_funded?: boolean;
                /**
                 * @description An unknown value is 400.
                 * @example fixed
                 */
                readonly dividend_type?: components["schemas"]["DividendType"];
                /**
                 * @description At least this price, as a decimal number. What is no number is 400.
                 * @example 100.00
                 */
                readonly min_share_price?: string;
                /**
                 * @description At most this price, as a decimal number. What is no number is 400.
                 * @example 500.00
                 */
                readonly max_share_price?: string;
                /**
                 * @description An unknown value is 400.
                 * @example affiliated
                 */
                readonly affiliation?: components["schemas"]["Affiliation"];
                /**
                 * @description Latitude of the place to search around, in degrees.
                 * @example 47.73
                 */
                readonly near_lat?: number;
                /**
                 * @description Longitude of the place to search around, in degrees.
                 * @example 10.31
                 */
                readonly near_lng?: number;
                /**
                 * @description How far away a cooperative may be.
                 * @example 50
                 */
                readonly radius_km?: number;
                /**
                 * @description Adds `coordinates` to each cooperative, for a map.
                 * @example false
                 */
                readonly include_coordinates?: boolean;
            };
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of cooperatives. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PrivateFiveMinutes"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CooperativePage"];
                };
            };
            readonly 304: components["responses"]["CatalogueUnchanged"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description The search by place cannot be done as asked. */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 422;
                        readonly code?: string;
                    };
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readCooperative: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Gives `projects` instead of `projects_by_type`. An empty one is like none; any other value is 422.
                 * @example projects
                 */
                readonly expand?: "projects";
            };
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description Id of the cooperative.
                 * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
                 */
                readonly id: components["parameters"]["CooperativeId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The cooperative. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PrivateFiveMinutes"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CooperativeDetail"];
                };
            };
            readonly 304: components["responses"]["CatalogueUnchanged"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            /** @description The cooperative is unknown, or not published. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 404;
                        readonly code?: string;
                    };
                };
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description The value of expand is unknown. */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 422;
                        readonly code?: string;
                    };
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly findInvestor: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description As it was sent at registration. Left out it is 400.
                 * @example c-1001
                 */
                readonly partner_customer_ref: string;
            };
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The investor. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Investor"];
                };
            };
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly provisionInvestor: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProvisionRequest"];
            };
        };
        readonly responses: {
            /** @description The investor with this reference is there already, with the same details. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Investor"];
                };
            };
            /** @description The investor was created. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Investor"];
                };
            };
            readonly 400: components["responses"]["MalformedRequestBody"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description An investor with this reference is there, with another e-mail or another profile. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 409;
                        readonly code?: string;
                    };
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["InvalidProfile"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readInvestor: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The investor. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Investor"];
                };
            };
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly replaceProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProfileRequest"];
            };
        };
        readonly responses: {
            /** @description The profile as it is stored now, section by section; the account number is masked. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Profile"];
                };
            };
            readonly 400: components["responses"]["MalformedRequestBody"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["InvalidProfile"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listSharePurchases: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description From 1. Below that it is taken as 1; past the end the list is empty. What is no whole number is 400.
                 * @example 1
                 */
                readonly page?: components["parameters"]["Page"];
                /**
                 * @description From 1 to 100. Beyond that it is taken as the nearest of them. What is no whole number is 400.
                 * @example 20
                 */
                readonly size?: components["parameters"]["Size"];
            };
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of orders. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SharePurchasePage"];
                };
            };
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly placeSharePurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Your own name for this order, 1 to 255 visible ASCII characters; a UUID is fine.
                 * @example 4d1b3c0e-8f57-4e5c-9a52-6f0a6a1f6d11
                 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseRequest"];
            };
        };
        readonly responses: {
            /** @description The order, newly submitted; or, with `Idempotent-Replayed`, the one that the key stands for. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    /** @description There only when nothing new was placed. */
                    readonly "Idempotent-Replayed"?: "true";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SharePurchase"];
                };
            };
            readonly 400: components["responses"]["MalformedRequestBody"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            /** @description The investor is not yours, or the cooperative is not published. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 404;
                        readonly code?: string;
                    };
                };
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description The order cannot be placed as things stand. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 409;
                        readonly code?: string;
                    };
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description A field is not valid, the order is below the cooperative's minimum, or the Idempotency-Key has no good form (then without `errors`). */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["FieldProblem"] & {
                        readonly code?: string;
                    };
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readSharePurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
                /**
                 * @description The share_purchase_id that placing the order answered.
                 * @example ba96d577-4678-5397-86e0-ed0fed1c7441
                 */
                readonly purchaseId: components["parameters"]["PurchaseId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The order. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SharePurchase"];
                };
            };
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["SharePurchaseNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly cancelSharePurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
                /**
                 * @description The share_purchase_id that placing the order answered.
                 * @example ba96d577-4678-5397-86e0-ed0fed1c7441
                 */
                readonly purchaseId: components["parameters"]["PurchaseId"];
            };
            readonly cookie?: never;
        };
        /** @description None. A client that cannot send nothing may send an empty object. */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NoFields"];
            };
        };
        readonly responses: {
            /** @description The order, cancelled. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SharePurchase"];
                };
            };
            readonly 400: components["responses"]["MalformedRequestBody"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["SharePurchaseNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description The order is approved or decided; nothing has changed. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 409;
                        readonly code?: string;
                    };
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listHoldings: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description From 1. Below that it is taken as 1; past the end the list is empty. What is no whole number is 400.
                 * @example 1
                 */
                readonly page?: components["parameters"]["Page"];
                /**
                 * @description From 1 to 100. Beyond that it is taken as the nearest of them. What is no whole number is 400.
                 * @example 20
                 */
                readonly size?: components["parameters"]["Size"];
            };
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id that registration answered.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of holdings. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HoldingPage"];
                };
            };
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readCooperativeImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description Id of the cooperative.
                 * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
                 */
                readonly id: components["parameters"]["CooperativeId"];
                /**
                 * @description Which of the cooperative's pictures.
                 * @example hero
                 */
                readonly kind: "hero" | "card" | "logo";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Image"];
            readonly 304: components["responses"]["ImageUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly readProjectImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description Id of the project.
                 * @example 024e36ad-56d3-5194-88a4-da9bd70a4b9a
                 */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Image"];
            readonly 304: components["responses"]["ImageUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly readReferencePage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page, compressed when `Accept-Encoding` has gzip. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PublicFiveMinutes"];
                    readonly Vary: components["headers"]["VaryByEncoding"];
                    readonly "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    /**
                     * @description When it is compressed.
                     * @example gzip
                     */
                    readonly "Content-Encoding"?: "gzip";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description You have it already. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PublicFiveMinutes"];
                    readonly Vary: components["headers"]["VaryByEncoding"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readLatestContractAsYaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ContractAsYaml"];
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readLatestContractAsJson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ContractAsJson"];
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readContractManifest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Every version with its date, its changes, and the digests of its files. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PublicContract"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ContractManifest"];
                };
            };
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readContractAsYaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description A version that the manifest has.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ContractAsYaml"];
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readContractAsJson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description A version that the manifest has.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ContractAsJson"];
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readContractAsCollection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Tags that you have, separated by commas; `W/` before them and `*` are understood.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description A version that the manifest has.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A collection in the format 2.1. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PublicContract"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly info: Record<string, never>;
                        readonly item: readonly Record<string, never>[];
                        readonly variable: readonly Record<string, never>[];
                    };
                };
            };
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readLiveness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Liveness"];
                };
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readReadiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own name for this request, 1 to 128 visible ASCII characters. It comes back in the answer and is in our logs; of another form it is replaced.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It can. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly onSharePurchaseSubmitted: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description When it was signed, and the HMAC-SHA256 of `<t>.<raw body>` under your signing secret in hex. Should there be a newer scheme one day, both stand here for a while, each under its own name: look for `v1` and pass over the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Of this attempt; each retry has another one. Use the `id` of the body to see what you had already.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` of the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseSubmitted"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onSharePurchaseApproved: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description When it was signed, and the HMAC-SHA256 of `<t>.<raw body>` under your signing secret in hex. Should there be a newer scheme one day, both stand here for a while, each under its own name: look for `v1` and pass over the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Of this attempt; each retry has another one. Use the `id` of the body to see what you had already.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` of the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseApproved"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onSharePurchaseSettled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description When it was signed, and the HMAC-SHA256 of `<t>.<raw body>` under your signing secret in hex. Should there be a newer scheme one day, both stand here for a while, each under its own name: look for `v1` and pass over the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Of this attempt; each retry has another one. Use the `id` of the body to see what you had already.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` of the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseSettled"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onSharePurchaseRejected: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description When it was signed, and the HMAC-SHA256 of `<t>.<raw body>` under your signing secret in hex. Should there be a newer scheme one day, both stand here for a while, each under its own name: look for `v1` and pass over the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Of this attempt; each retry has another one. Use the `id` of the body to see what you had already.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` of the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseRejected"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onSharePurchaseCancelled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description When it was signed, and the HMAC-SHA256 of `<t>.<raw body>` under your signing secret in hex. Should there be a newer scheme one day, both stand here for a while, each under its own name: look for `v1` and pass over the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Of this attempt; each retry has another one. Use the `id` of the body to see what you had already.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` of the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseCancelled"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
}
